import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { plannedShare } from '#exchange/pacing/planned-share';
import { startBidder } from '../../support/bidder.ts';
import { eventually } from '../../support/eventually.ts';
import { callJson, realProviders } from '../../support/exchange.ts';
import { freePort } from '../../support/free-port.ts';
import { skipWithReason } from '../../support/skipped-tests.ts';
import { ExchangeProcess } from '../exchange/exchange-process.ts';
import { type PublisherTotals, Traffic } from './traffic.ts';

const REGIONS = ['fra', 'nyc', 'lon'] as const;
const LIVE_KEY = `pk_live_${randomUUID()}`;
const NANOS_PER_CENT = 10_000_000;
/** About as many impressions, at a CPM of 10 dollars. */
const BUDGET_CENTS = 500;
const LANES = 3;
const BUDGET_NANOS = BUDGET_CENTS * NANOS_PER_CENT;
/** What of a budget is spent at least; a campaign that is paced may be as far behind its plan. */
const LEAST_SHARE = 0.97;
/** Much longer than an edge waits before it asks for a lease again. */
const QUIET_MS = 5_000;
/** A busy machine may delay the answers to an edge for long. */
const SOLD_WITHIN_MS = 150_000;
const DAY_MS = 86_400_000;

describe('budgets that three edges spend at once', function () {
  this.timeout(360_000);
  const processes: ExchangeProcess[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  let folder: string;
  let shared: Readonly<Record<string, string>>;

  before(async function () {
    if (DAY_MS - (Date.now() % DAY_MS) < 5 * 60_000)
      skipWithReason(this, 'budgets begin anew at midnight UTC, minutes from now');
    const real = realProviders(this);
    const mongodb = new URL(real.MONGODB_URL!);
    mongodb.searchParams.set('maxPoolSize', '4');
    folder = await mkdtemp(join(tmpdir(), 'exchange-budgets-'));
    closing.push(() => rm(folder, { recursive: true }));
    closing.push(async () => {
      const client = await new MongoClient(mongodb.href).connect();
      await client.db(mongodb.pathname.slice(1)).dropDatabase();
      await client.close();
    });
    shared = {
      ...real,
      MONGODB_URL: mongodb.href,
      PARTITIONS: '8',
      ALLOW_PRIVATE_NETWORKS: 'true',
      HTTPS_CREATIVES_ONLY: 'false',
      MAX_REQUESTS_PER_SECOND_PER_ADDRESS: '0',
      MAX_REQUESTS_PER_SECOND_PER_DEVICE: '0',
      BOOTSTRAP_API_KEY: LIVE_KEY,
      LOG_LEVEL: 'warn',
    };
  });

  afterEach(function () {
    if (this.currentTest?.state !== 'failed') return;
    for (const { output } of processes) process.stderr.write(`${output.slice(-3_000)}\n`);
  });

  after(async () => {
    await Promise.all(processes.map((one) => one.end()));
    for (const close of closing.reverse()) await close();
  });

  async function started(name: string, roles: string, region = 'fra'): Promise<ExchangeProcess> {
    const [port, edgePort, opsPort] = [await freePort(), await freePort(), await freePort()];
    const one = new ExchangeProcess(name, {
      ...shared,
      ROLES: roles,
      REGION: region,
      PORT: String(port),
      EDGE_PORT: String(edgePort),
      OPS_PORT: String(opsPort),
      PUBLIC_EDGE_URL: `http://127.0.0.1:${edgePort}`,
      DATA_DIR: join(folder, name),
    });
    processes.push(one);
    await one.start();
    return one;
  }

  /** At prices of 5 to 15 dollars CPM, for every imp. */
  async function bidderUrl(): Promise<string> {
    let turn = 0;
    const made = await startBidder(({ body }, response) => {
      const price = () => 5 + (turn++ % 101) / 10;
      const bid = body.imp.map(({ id }: { id: string }) => ({
        ...{ id: `bid-${id}`, impid: id, price: price(), crid: 'creative', adm: '<b>ad</b>', mtype: 1, w: 300, h: 250 },
        adomain: ['advertiser.test'],
      }));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: body.id, cur: 'USD', seatbid: [{ bid }] }));
    });
    closing.push(() => made.close());
    return made.url;
  }

  it('are never overspent, and spent: one edge is killed, pixels are fired twice, others bill what it sold', async () => {
    const management = await started('actors', 'actors,management');
    const edges = await Promise.all(REGIONS.map((region) => started(`edge-${region}`, 'edge', region)));
    const call = async (method: string, path: string, body?: object) => {
      const url = `http://127.0.0.1:${management.environment.PORT}${path}`;
      const answer = await callJson(method, url, body, { 'X-API-Key': LIVE_KEY });
      expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).to.be.within(200, 201);
      return answer.body;
    };
    /** A publisher and its pool, with one demand source. */
    const market = async (name: string, source: object): Promise<{ till: PublisherTotals; dspId: string }> => {
      const pool = (await call('POST', '/api/supply/pools', { name })).id;
      const site = { name, domain: 'site.test', type: 'web', pool_id: pool };
      const publisherId = (await call('POST', '/api/supply/sources', site)).id;
      const dspId = (await call('POST', '/api/demand/sources', { name, ...source })).id;
      await call('POST', `/api/demand/sources/${dspId}/pools/${pool}`);
      return { till: { publisherId, billedNanos: 0, impressions: 0, highestNanos: 0 }, dspId };
    };
    const campaign = (dspId: string, budget: object | null) =>
      call('POST', '/api/campaigns', {
        ...{ dsp_id: dspId, campaign_id: 'campaign', campaign_name: 'Campaign', bidding: { base_cpm: 10 } },
        creative: { creative_id: 'creative', html: '<b>ad</b>', width: 300, height: 250 },
        ...(budget && { budget }),
      });

    const daily = { daily_budget_cents: BUDGET_CENTS };
    const rtb = await market('rtb', { mode: 'rtb', endpoint_url: await bidderUrl(), ...daily });
    const delegate = await market('delegate', { mode: 'delegate', ...daily });
    const total = await market('total', { mode: 'delegate' });
    const paced = await market('paced', { mode: 'delegate' });
    await campaign(delegate.dspId, null);
    await campaign(total.dspId, { total_cents: BUDGET_CENTS });
    await campaign(paced.dspId, { daily_cents: BUDGET_CENTS, pacing: 'aggressive' });
    const markets = [rtb, delegate, total, paced];

    const origins = edges.map(({ environment }) => `http://127.0.0.1:${environment.EDGE_PORT}`);
    const traffic = new Traffic(origins);
    const plannedNow = () => Math.min(0.95, plannedShare('aggressive', (Date.now() % DAY_MS) / DAY_MS));
    const leastOf = (market: object) => (market === paced ? plannedNow() - (1 - LEAST_SHARE) : LEAST_SHARE);
    const selling = Promise.all(
      markets.map((market) => {
        const isEnough = (billedNanos: number) => billedNanos >= leastOf(market) * BUDGET_NANOS;
        return traffic.sellOut(market.till, isEnough, { lanes: LANES, quietMs: QUIET_MS, withinMs: SOLD_WITHIN_MS });
      }),
    );
    selling.catch(() => {});
    await eventually('a third to be spent', () => rtb.till.billedNanos > BUDGET_NANOS / 3, {
      timeoutMs: 60_000,
    });
    await edges[1]!.kill();
    traffic.leave(origins[1]!);
    await selling;

    const planned = plannedNow();
    const shares = markets.map(({ till }) => till.billedNanos / BUDGET_NANOS);
    const said = JSON.stringify({ shares, planned, tills: markets.map(({ till }) => till) });
    for (const share of shares.slice(0, 3)) expect(share, said).to.be.within(LEAST_SHARE, 1);
    expect(shares[3], said).to.be.within(leastOf(paced), 0.95);

    for (const { till, dspId } of [rtb, delegate]) {
      const expected = till.billedNanos / NANOS_PER_CENT;
      const budget = await eventually(
        'all of it in the books',
        async () => {
          const standing = await call('GET', `/api/demand/dsp/${dspId}/budget`);
          return Math.abs(standing.spent_today_cents - expected) < 0.0001 ? standing : null;
        },
        { timeoutMs: 60_000, everyMs: 200 },
      );
      expect(budget.spent_today_cents + budget.reserved_cents, JSON.stringify(budget)).to.be.at.most(BUDGET_CENTS);
      expect(budget.remaining_cents).to.be.at.most((1 - LEAST_SHARE) * BUDGET_CENTS);
    }
  });
});

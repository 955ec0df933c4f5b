import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { eventually } from '../../support/eventually.ts';
import { callJson, realProviders } from '../../support/exchange.ts';
import { freePort } from '../../support/free-port.ts';
import { type RedisServer, requireRedisServer, startRedisServer } from '../../support/redis-server.ts';
import { skipWithReason } from '../../support/skipped-tests.ts';
import { openTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { type PublisherTotals, Traffic } from '../budgets/traffic.ts';
import { ExchangeProcess } from '../exchange/exchange-process.ts';

const LIVE_KEY = `pk_live_${randomUUID()}`;
const NANOS_PER_CENT = 10_000_000;
const BUDGET_CENTS = 1_000;
const BUDGET_NANOS = BUDGET_CENTS * NANOS_PER_CENT;
const PARTITIONS = 8;
const LANES = 3;
const DAY_MS = 86_400_000;
const PATIENT = { timeoutMs: 60_000, everyMs: 100 };
/** One way to home, ms. */
const DELAYS = { nyc: 40, lon: 75 } as const;
type Remote = keyof typeof DELAYS;

describe('regions with logs of their own', function () {
  this.timeout(300_000);
  const processes: ExchangeProcess[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  const links = new Map<Remote, TcpProxy>();
  const logs = new Map<Remote, RedisServer>();
  let home: RedisServer;
  let folder: string;
  let shared: Readonly<Record<string, string>>;

  before(async function () {
    requireRedisServer(this);
    if (DAY_MS - (Date.now() % DAY_MS) < 5 * 60_000)
      skipWithReason(this, 'budgets begin anew at midnight UTC, minutes from now');
    const real = realProviders(this);
    const mongodb = new URL(real.MONGODB_URL!);
    mongodb.searchParams.set('maxPoolSize', '4');
    folder = await mkdtemp(join(tmpdir(), 'exchange-regions-'));
    closing.push(() => rm(folder, { recursive: true }));
    closing.push(async () => {
      const client = await new MongoClient(mongodb.href).connect();
      await client.db(mongodb.pathname.slice(1)).dropDatabase();
      await client.close();
    });
    const server = async () => {
      const started = await startRedisServer();
      closing.push(() => started.remove());
      return started;
    };
    home = await server();
    for (const region of ['nyc', 'lon'] as const) {
      logs.set(region, await server());
      const link = await openTcpProxy('127.0.0.1', home.port, DELAYS[region]);
      closing.push(() => link.close());
      links.set(region, link);
    }
    shared = {
      ...real,
      REDIS_URL: home.url,
      MONGODB_URL: mongodb.href,
      PARTITIONS: String(PARTITIONS),
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

  async function started(name: string, roles: string, region: 'fra' | Remote = 'fra'): Promise<ExchangeProcess> {
    const [port, edgePort, opsPort] = [await freePort(), await freePort(), await freePort()];
    const one = new ExchangeProcess(name, {
      ...shared,
      ...(region !== 'fra' && {
        REDIS_URL: `redis://127.0.0.1:${links.get(region)!.port}`,
        REGION_REDIS_URL: logs.get(region)!.url,
        EDGE_REDIS_URL: logs.get(region)!.url,
      }),
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

  async function metricOf(edges: readonly ExchangeProcess[], name: string): Promise<number> {
    const texts = await Promise.all(
      edges.map(async ({ environment }) => (await fetch(`http://127.0.0.1:${environment.OPS_PORT}/metrics`)).text()),
    );
    return texts.reduce((sum, text) => sum + Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0), 0);
  }

  const backlogOf = (edges: readonly ExchangeProcess[]) => metricOf(edges, 'exchange_region_relay_backlog_entries');

  it('bill what they acknowledged once, cut off from home for a while and with a relay that is killed', async () => {
    const management = await started('actors', 'actors,management,scheduler');
    const [fra, lon, nyc, second] = await Promise.all([
      started('edge-fra', 'edge'),
      started('edge-lon', 'edge', 'lon'),
      started('edge-nyc-1', 'edge', 'nyc'),
      started('edge-nyc-2', 'edge', 'nyc'),
    ]);
    const call = async (method: string, path: string, body?: object) => {
      const url = `http://127.0.0.1:${management.environment.PORT}${path}`;
      const answer = await callJson(method, url, body, { 'X-API-Key': LIVE_KEY });
      expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).to.be.within(200, 201);
      return answer.body;
    };
    const pool = (await call('POST', '/api/supply/pools', { name: 'Pool' })).id;
    const site = { name: 'Site', domain: 'site.test', type: 'web', pool_id: pool };
    const publisherId = (await call('POST', '/api/supply/sources', site)).id;
    const source = { name: 'Buyer', mode: 'delegate', daily_budget_cents: BUDGET_CENTS };
    const dspId = (await call('POST', '/api/demand/sources', source)).id;
    await call('POST', `/api/demand/sources/${dspId}/pools/${pool}`);
    await call('POST', '/api/campaigns', {
      ...{ dsp_id: dspId, campaign_id: 'campaign', campaign_name: 'Campaign', bidding: { base_cpm: 10 } },
      creative: { creative_id: 'creative', html: '<b>ad</b>', width: 300, height: 250 },
    });

    const till: PublisherTotals = { publisherId, billedNanos: 0, impressions: 0, highestNanos: 0 };
    const originOf = ({ environment }: ExchangeProcess) => `http://127.0.0.1:${environment.EDGE_PORT}`;
    const traffic = new Traffic([fra, lon, nyc, second].map(originOf));
    let enough = Number.POSITIVE_INFINITY;
    const isEnough = (billedNanos: number) => billedNanos >= enough;
    const selling = traffic.sellOut(till, isEnough, { lanes: LANES, quietMs: 0, withinMs: 120_000 });
    selling.catch(() => {});
    await eventually('some to be billed', () => till.impressions >= 60, PATIENT);
    const drawnAtHome = await metricOf([fra], 'exchange_region_lease_draws_total');
    expect(drawnAtHome, 'home is a region as well').to.be.above(0);

    links.get('nyc')!.cut();
    const atCut = till.impressions;
    const drawn = await metricOf([nyc, second], 'exchange_region_lease_draws_total');
    await eventually('impressions to wait in the region', async () => (await backlogOf([nyc, second])) >= 40, PATIENT);
    await eventually('more sales meanwhile', () => till.impressions >= atCut + 60, PATIENT);
    const ready = await callJson('GET', `http://127.0.0.1:${nyc.environment.OPS_PORT}/readyz`);
    expect([ready.status, ready.body.missing], 'a region cut off serves on').to.deep.equal([200, []]);
    const drawnMeanwhile = (await metricOf([nyc, second], 'exchange_region_lease_draws_total')) - drawn;
    expect(drawnMeanwhile, 'leases of the region').to.be.above(0);
    links.get('nyc')!.restore();
    await eventually('the backlog to shrink', async () => (await backlogOf([nyc, second])) < 40, PATIENT);
    await nyc.kill();
    traffic.leave(originOf(nyc));
    enough = 0;
    await selling;

    const spent = async () => (await call('GET', `/api/demand/dsp/${dspId}/budget`)).spent_today_cents;
    const expected = till.billedNanos / NANOS_PER_CENT;
    await eventually('all of it in the books', async () => Math.abs((await spent()) - expected) < 0.0001, PATIENT);
    await eventually('the regions to be drained', async () => (await backlogOf([lon, second])) === 0, PATIENT);
    expect(await spent(), 'nothing comes twice').to.be.closeTo(expected, 0.0001);
    expect(till.billedNanos).to.be.at.most(BUDGET_NANOS);

    const client = new Redis(home.url);
    const known = await client.hgetall(`{${shared.REDIS_PREFIX}:0}:relayed`);
    client.disconnect();
    expect(Object.keys(known).map((name) => name.split('#')[0])).to.have.members(['nyc', 'lon']);
  });
});

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { openMongodbStore } from '#runtime/providers/mongodb/open-mongodb-store';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import type { Audit } from '#scheduler/audit/audit-books';
import { bids, type ScriptedBidder, startBidder } from '../../support/bidder.ts';
import { eventually } from '../../support/eventually.ts';
import { callJson } from '../../support/exchange.ts';
import { EXCHANGE } from '../../support/exchange-command.ts';
import { freePort } from '../../support/free-port.ts';
import { mongodbUrl } from '../../support/real-servers.ts';
import { type RedisServer, requireRedisServer, startRedisServer } from '../../support/redis-server.ts';
import { type MongodbProxy, openMongodbProxy } from '../mongodb-proxy.ts';
import { expectedLedgerTotals, readLedgerTotals } from '../verification/ledger-totals.ts';
import { spooledBelow, waitUntilAtRest } from '../verification/wait-until-at-rest.ts';
import { ExchangeProcess } from './exchange-process.ts';
import { Renderer } from './renderer.ts';

/**
 * On an idle machine; one that is slow or shared renders as many as it can in about the time, and no fewer than the
 * second number.
 */
const IMPRESSIONS = 20_000;
const AT_LEAST = 2_400;
const RENDERS_FOR_MS = 60_000;
const LANES = 24;
/** An impression is billed within it; long for what is rendered at once, short enough for ids to expire in the test. */
const RENDER_WINDOW_S = 50;
const HELD_BACK = 60;
/** Of the second demand source, for the day: it runs out. */
const BUDGET_CENTS = 150;
const PARTITIONS = 8;
const LIVE_KEY = `pk_live_${randomUUID()}`;
const run = promisify(execFile);

describe('the whole exchange while its parts are killed', function () {
  this.timeout(300_000);
  const processes: ExchangeProcess[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  let redis: RedisServer;
  let database: MongodbProxy;
  let folder: string;
  let shared: Readonly<Record<string, string>>;

  before(async function () {
    requireRedisServer(this);
    const mongodb = new URL(mongodbUrl(this));
    const name = `faults-${randomUUID().slice(0, 13)}`;
    mongodb.pathname = `/${name}`;
    // Three processes write; a server of the tests' kind has 100 connections for all statements under way.
    database = await openMongodbProxy(mongodb.href, 2);
    closing.push(() => database.close());
    redis = await startRedisServer();
    closing.push(() => redis.remove());
    folder = await mkdtemp(join(tmpdir(), 'exchange-faults-'));
    closing.push(() => rm(folder, { recursive: true }));
    closing.push(async () => {
      const client = await new MongoClient(mongodb.href).connect();
      await client.db(name).dropDatabase();
      await client.close();
    });
    shared = {
      REDIS_URL: redis.url,
      MONGODB_URL: database.url,
      MONGODB_WRITE_BATCH: '12',
      SECRET_KEY: randomUUID(),
      PARTITIONS: String(PARTITIONS),
      ALLOW_PRIVATE_NETWORKS: 'true',
      BOOTSTRAP_API_KEY: LIVE_KEY,
      RENDER_WINDOW_SECONDS: String(RENDER_WINDOW_S),
      MAX_REQUESTS_PER_SECOND_PER_ADDRESS: '0',
      MAX_REQUESTS_PER_SECOND_PER_DEVICE: '0',
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

  async function started(name: string, roles: string): Promise<ExchangeProcess> {
    const [port, edgePort, opsPort] = [await freePort(), await freePort(), await freePort()];
    const one = new ExchangeProcess(name, {
      ...shared,
      ROLES: roles,
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

  async function bidder(price: () => number): Promise<ScriptedBidder> {
    const made = await startBidder((received, response) => bids({ price: price() })(received, response));
    closing.push(() => made.close());
    return made;
  }

  it('bills every impression that was answered 200 exactly once, on both sides', async () => {
    const [firstActors, secondActors] = await Promise.all([
      started('actors-1', 'actors'),
      started('actors-2', 'actors'),
    ]);
    const management = await started('management', 'management,scheduler');
    const [firstEdge, secondEdge] = await Promise.all([started('edge-1', 'edge'), started('edge-2', 'edge')]);
    const baseUrl = `http://127.0.0.1:${management.environment.PORT}`;
    const call = async (method: string, path: string, body?: object) => {
      const answer = await callJson(method, `${baseUrl}${path}`, body, { 'X-API-Key': LIVE_KEY });
      expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).to.be.within(200, 201);
      return answer.body;
    };

    let cents = 0;
    const pool = (await call('POST', '/api/supply/pools', { name: 'Pool' })).id;
    const publishers: string[] = [];
    for (const name of ['First', 'Second']) {
      const source = { name, domain: 'site.test', type: 'web', pool_id: pool };
      publishers.push((await call('POST', '/api/supply/sources', source)).id);
    }
    const dsps: string[] = [];
    for (const name of ['Buyer', 'Rival']) {
      const { url } = await bidder(() => 1 + (cents++ % 97) / 100);
      const source = { name, mode: 'rtb', endpoint_url: url };
      const { id } = await call('POST', '/api/demand/sources', source);
      await call('POST', `/api/demand/sources/${id}/pools/${pool}`);
      dsps.push(id);
    }

    // What a demand source may spend on a day holds whatever is killed.
    await call('PUT', `/api/demand/sources/${dsps[1]}`, { daily_budget_cents: BUDGET_CENTS });

    const edges = [firstEdge, secondEdge].map(({ environment }) => `http://127.0.0.1:${environment.EDGE_PORT}`);
    const renderer = new Renderer(edges, publishers);
    let over = false;
    const rendering = renderer.render(LANES, () => over);
    // Looked at below.
    rendering.catch(() => {});
    /** The next part of all impressions, or of the time. */
    const share = (part: number) => {
      const count = renderer.rendered.size + part * IMPRESSIONS;
      const untilMs = performance.now() + part * RENDERS_FOR_MS;
      const enough = () => renderer.rendered.size >= count || performance.now() >= untilMs;
      return eventually(`${part * 100} % to be rendered`, enough, { timeoutMs: 2 * RENDERS_FOR_MS });
    };

    const expiring = await renderer.holdBack(HELD_BACK);
    const heldSince = performance.now();
    await share(0.15);
    await firstActors.kill();
    await share(0.15);
    // Its open wins are rendered at the other edge; what it had leased and not sold stays reserved until its window is
    // settled.
    const ofDeadEdge = await renderer.holdBack(HELD_BACK);
    await firstEdge.kill();
    // At once: within the render window, however slowly processes start.
    await Promise.all([firstActors.start(), renderer.renderHeld(ofDeadEdge)]);
    await firstEdge.start();
    await share(0.2);
    await redis.kill();
    await eventually('both edges to spool', async () => new Set((await spooledBelow(folder)).map(dirname)).size === 2, {
      timeoutMs: 60_000,
    });
    await secondEdge.kill();
    await pause(500);
    await redis.start();
    await secondEdge.start();
    await share(0.2);
    database.cut();
    await secondActors.kill();
    await pause(1_500);
    database.restore();
    await secondActors.start();
    await share(0.2);
    await management.kill();
    await management.start();
    await share(0.1);
    over = true;
    await rendering;
    await renderer.renderAgain(10);
    await pause(Math.max(0, RENDER_WINDOW_S * 1_000 + 1_000 - (performance.now() - heldSince)));
    await renderer.callExpired(expiring);

    const log = await openRedisLog({ url: redis.url, prefix: 'exchange', partitions: PARTITIONS });
    const store = await openMongodbStore({ url: shared.MONGODB_URL! });
    closing.push(
      () => log.close(),
      () => store.close(),
    );
    await waitUntilAtRest(log, PARTITIONS, folder);
    expect(await store.deadLetters({ limit: 1 }), 'dead letters').to.deep.equal([]);

    const expected = expectedLedgerTotals(renderer.rendered.values(), { publishers, dsps });
    expect(await readLedgerTotals(store, { publishers, dsps })).to.deep.equal(expected);
    for (const [side, ids] of [
      ['supply', publishers],
      ['demand', dsps],
    ] as const) {
      for (const id of ids) {
        const stats = await call('GET', `/api/${side}/sources/${id}/stats`);
        const { impressions, grossNanos } = expected[id]!;
        expect(stats.impressions, `impressions of ${id}`).to.equal(impressions);
        expect(stats[side === 'supply' ? 'revenue_cents' : 'spend_cents'], `cents of ${id}`).to.be.closeTo(
          Number(grossNanos) / 1e7,
          0.0001,
        );
      }
    }
    const { rendered, repeats, forgeries } = renderer;
    process.stdout.write(
      `      ${rendered.size} impressions, ${repeats} repeated, ${forgeries} forged in two ways, ${expiring.length} expired\n`,
    );
    expect(rendered.size, 'impressions').to.be.at.least(AT_LEAST);
    expect(Math.min(repeats, forgeries), 'repeats and forgeries').to.be.above(100);
    expect(Number(expected[dsps[1]!]!.grossNanos), 'spent of the budget').to.be.at.most(BUDGET_CENTS * 1e7);
    const total = (ids: readonly string[]) => ids.reduce((sum, id) => sum + expected[id]!.grossNanos, 0n);
    expect(total(publishers), 'Σ publishers is Σ demand sources').to.equal(total(dsps));

    // The operator's audit shows the same of an exchange at rest, to the last impression.
    for (const one of [firstEdge, secondEdge, management, firstActors, secondActors]) await one.stop();
    const audit = await runAudit({ ...shared, DATA_DIR: join(folder, 'audit') });
    expect(audit.differences, 'what the audit found').to.deep.equal([]);
    expect(audit.ledgers, 'audited ledgers').to.be.at.least(6);
    expect(audit.tallies, 'audited tallies').to.equal(PARTITIONS);
  });
});

/** `exchange audit --json`. */
async function runAudit(environment: Readonly<Record<string, string>>): Promise<Audit> {
  const { PATH } = process.env;
  const { stdout } = await run(process.execPath, [EXCHANGE, 'audit', '--json'], {
    env: { ...(PATH && { PATH }), ...environment },
  });
  return JSON.parse(stdout);
}

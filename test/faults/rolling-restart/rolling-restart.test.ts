import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { bids, startBidder } from '../../support/bidder.ts';
import { bannerRequest } from '../../support/edge.ts';
import { eventually } from '../../support/eventually.ts';
import { callJson, realProviders } from '../../support/exchange.ts';
import { freePort } from '../../support/free-port.ts';
import { ExchangeProcess } from '../exchange/exchange-process.ts';
import { Caller } from './caller.ts';
import { type Backend, LoadBalancer } from './load-balancer.ts';

/** Two callers stay below the thousand calls that an account has in a minute. */
const PAUSE_MS = 150;
const BUSY = { timeoutMs: 60_000 };
/**
 * Auctions leave the machine to the process that starts: one that is late for want of it is no failure of the restart.
 */
const AUCTION_PAUSE_MS = 20;
const LIVE_KEY = `pk_live_${randomUUID()}`;

describe('a rolling restart', () => {
  const closing: (() => unknown)[] = [];
  const processes: ExchangeProcess[] = [];

  afterEach(function () {
    if (this.currentTest?.state !== 'failed') return;
    for (const { output } of processes) process.stderr.write(`${output.slice(-3_000)}\n`);
  });
  after(async () => {
    await Promise.all(processes.map((one) => one.end()));
    for (const close of closing.reverse()) await close();
  });

  it('fails no request of callers that keep their connections', async function () {
    const providers = realProviders(this);
    const mongodb = new URL(providers.MONGODB_URL!);
    // Two processes write; a server of the tests' kind has 100 connections for all statements under way.
    mongodb.searchParams.set('maxPoolSize', '2');
    const folder = await mkdtemp(join(tmpdir(), 'exchange-rolling-'));
    closing.push(() => rm(folder, { recursive: true }));
    const shared = {
      ...providers,
      MONGODB_URL: mongodb.href,
      MONGODB_WRITE_BATCH: '12',
      PARTITIONS: '8',
      ALLOW_PRIVATE_NETWORKS: 'true',
      BOOTSTRAP_API_KEY: LIVE_KEY,
      SECRET_KEY: 'a master secret of more than 32 characters',
      // Long enough for the balancer to hear of it on a busy machine.
      DRAIN_SECONDS: '4',
      LOG_LEVEL: 'warn',
    };
    const backends: { process: ExchangeProcess; management: Backend; edge: Backend }[] = [];
    for (const name of ['first', 'second']) {
      const [port, edgePort, opsPort] = [await freePort(), await freePort(), await freePort()];
      const ports = { PORT: String(port), EDGE_PORT: String(edgePort), OPS_PORT: String(opsPort) };
      const one = new ExchangeProcess(name, { ...shared, ...ports, DATA_DIR: join(folder, name) });
      processes.push(one);
      await one.start();
      backends.push({ process: one, management: { name, port, opsPort }, edge: { name, port: edgePort, opsPort } });
    }
    const management = new LoadBalancer(backends.map((backend) => backend.management));
    const edge = new LoadBalancer(backends.map((backend) => backend.edge));
    for (const balancer of [management, edge]) {
      await balancer.open();
      closing.push(() => balancer.close());
    }

    const bidder = await startBidder(bids({ price: 1 }));
    closing.push(() => bidder.close());
    const headers = { 'X-API-Key': LIVE_KEY };
    const create = async (path: string, body: object): Promise<string> => {
      const answer = await callJson('POST', `${management.url}${path}`, body, headers);
      expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 201);
      return answer.body.id;
    };
    const pool = await create('/api/supply/pools', { name: 'Pool' });
    const source = { name: 'Site', domain: 'site.test', type: 'web', pool_id: pool };
    const publisher = await create('/api/supply/sources', source);
    const dsp = await create('/api/demand/sources', { name: 'Buyer', mode: 'rtb', endpoint_url: bidder.url });
    await callJson('POST', `${management.url}/api/demand/sources/${dsp}/pools/${pool}`, undefined, headers);
    const request = () => bannerRequest({ id: randomUUID(), site: { id: publisher }, device: {} });
    const allAuction = async () => {
      const asked = backends.map((backend) => callJson('POST', `http://127.0.0.1:${backend.edge.port}/rtb`, request()));
      return (await Promise.all(asked)).every(({ status }) => status === 200);
    };
    await eventually('both edges to auction', allAuction, BUSY);

    const path = `/api/supply/sources/${publisher}`;
    const read = () => ({ method: 'GET', path, expected: [200] }) as const;
    const write = (number: number) =>
      ({ method: 'PUT', path, body: { floor_price_cpm: (number % 100) / 100 }, expected: [200] }) as const;
    const auction = () => ({ method: 'POST', path: '/rtb', body: request(), expected: [200, 204] }) as const;
    const callers = [
      new Caller(management.url, headers, read, PAUSE_MS),
      new Caller(management.url, headers, write, PAUSE_MS),
      new Caller(edge.url, {}, auction, AUCTION_PAUSE_MS),
      new Caller(edge.url, {}, auction, AUCTION_PAUSE_MS),
    ];
    for (const caller of callers) caller.start();
    const each = (title: string, holds: (caller: Caller) => boolean) =>
      eventually(title, () => callers.every(holds), BUSY);
    /** Every caller gets so many more answers. */
    const more = (count: number) => {
      const goals = new Map(callers.map((caller) => [caller, caller.answered + caller.failures.length + count]));
      return each(`${count} more answers for each`, (caller) => {
        return caller.answered + caller.failures.length >= goals.get(caller)!;
      });
    };

    await more(20);
    for (const { process: one } of backends) {
      const before = callers.map(({ connections }) => connections);
      expect(await one.stop(), 'exit code').to.equal(0);
      await more(10);
      await one.start();
      await eventually('both to be balanced again', () => management.ready.length + edge.ready.length === 4, BUSY);
      await more(10);
      expect(
        callers.some(({ connections }, index) => connections > before[index]!),
        'a connection moved',
      ).to.equal(true);
    }
    await Promise.all(callers.map((caller) => caller.end()));
    const answered = callers.map((caller) => caller.answered).join(', ');
    process.stdout.write(`      answered on four connections: ${answered}; none failed\n`);
    expect(callers.flatMap(({ failures }) => failures)).to.deep.equal([]);
  });
});

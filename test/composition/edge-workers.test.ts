import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { callJson, realProviders } from '../support/exchange.ts';
import { type ExchangeProcess, Installation } from './installation.ts';
import { KeptConnections } from './kept-connections.ts';
import { SandboxTraffic } from './sandbox-traffic.ts';

const EDGES = ['edge-1', 'edge-2'];
const PATIENT = { timeoutMs: 60_000, everyMs: 50 };

describe('EDGE_WORKERS: edges that share a port below one supervisor', () => {
  // One installation for all: the tests follow each other, and end with what ends it.
  let installation: Installation;
  let run: ExchangeProcess;
  let traffic: SandboxTraffic;
  let callers: KeptConnections | null = null;
  before(async function () {
    installation = await Installation.make({
      ...realProviders(this),
      EDGE_WORKERS: String(EDGES.length),
      LOG_LEVEL: 'info',
      BOOTSTRAP_API_KEY: 'pk_live_of-this-test',
      BOOTSTRAP_SANDBOX_API_KEY: 'pk_sandbox_of-this-test',
    });
    run = await installation.start();
    traffic = new SandboxTraffic(installation);
  });
  afterEach(async () => {
    await callers?.end();
    callers = null;
  });
  after(() => installation?.remove());

  const metrics = async () => (await fetch(`${installation.opsUrl}/metrics`)).text();
  /** The figures of a metric, by the process that has them. */
  const byProcess = async (name: string): Promise<Map<string, number>> => {
    const figures = new Map<string, number>();
    for (const line of (await metrics()).split('\n')) {
      const [, process, figure] = new RegExp(`^${name}\\{.*process="([^"]+)".*\\} (\\S+)$`).exec(line) ?? [];
      if (process !== undefined) figures.set(process, (figures.get(process) ?? 0) + Number(figure));
    }
    return figures;
  };
  const haveServed = async (processes: readonly string[]) => {
    const auctions = await byProcess('exchange_auction_seconds_count');
    return processes.every((name) => (auctions.get(name) ?? 0) > 0);
  };
  const childrenOf = async ({ pid }: ExchangeProcess): Promise<number[]> =>
    (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number);
  const isGone = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  };

  it('serves one port from all of them, and bills what any of them acknowledged', async () => {
    expect(await childrenOf(run)).to.have.lengthOf(1 + EDGES.length);
    const [serving] = run.log.filter(({ msg }) => msg === 'serving');
    expect(serving).to.include({ edgeWorkers: 2, edgePort: Number(installation.environment.EDGE_PORT) });
    traffic.start(8);
    await eventually('both edges to hold auctions', () => haveServed(EDGES), PATIENT);
    await eventually('impressions', () => traffic.confirmed >= 20, PATIENT);
    await traffic.end();
    expect(traffic.unanswered).to.equal(0);
    await traffic.expectBooks();
    const ready = await callJson('GET', `${installation.opsUrl}/readyz`);
    expect([ready.status, ready.body.missing]).to.deep.equal([200, []]);
    const text = await metrics();
    expect(text.match(/^# TYPE process_resident_memory_bytes gauge$/gm)).to.have.lengthOf(1);
    expect([...(await byProcess('process_resident_memory_bytes')).keys()]).to.have.members(['others', ...EDGES]);
    expect([...(await byProcess('exchange_process_up'))]).to.have.deep.members(
      ['others', ...EDGES].map((name) => [name, 1]),
    );
  });

  it('restarts them one by one at SIGUSR2, and fails no call meanwhile', async () => {
    const before = await childrenOf(run);
    traffic.start(4);
    run.signal('SIGUSR2');
    await run.said(/"msg":"the edges are restarted"/);
    const after = await childrenOf(run);
    expect(after).to.have.lengthOf(before.length);
    expect(
      after.filter((pid) => before.includes(pid)),
      'the process with the other roles goes on',
    ).to.have.lengthOf(1);
    const confirmed = traffic.confirmed;
    await eventually('more impressions', () => traffic.confirmed >= confirmed + 20, PATIENT);
    await traffic.end();
    expect(traffic.unanswered).to.equal(0);
    await traffic.expectBooks();
  });

  /** Waits until each edge answers a quarter of what `kept` send, or more: about half is its share. */
  const expectShared = async (kept: KeptConnections) => {
    let before = await byProcess('exchange_auction_seconds_count');
    await eventually(
      'both edges to have a share of the kept connections',
      async () => {
        const answered = kept.answered;
        await eventually('more answers', () => kept.answered >= answered + 100, PATIENT);
        const now = await byProcess('exchange_auction_seconds_count');
        const each = EDGES.map((name) => (now.get(name) ?? 0) - (before.get(name) ?? 0));
        before = now;
        const all = each.reduce((sum, auctions) => sum + auctions, 0);
        return each.every((auctions) => auctions >= all / 4);
      },
      { timeoutMs: 20_000 },
    );
  };

  it('resets no kept connection at SIGUSR2, and shares them among all edges afterwards', async () => {
    callers = new KeptConnections(installation.edgeUrl, 12);
    await expectShared(callers);
    const restarts = run.stdout.length;
    run.signal('SIGUSR2');
    await eventually('the restart', () => run.stdout.includes('"msg":"the edges are restarted"', restarts), PATIENT);
    await expectShared(callers);
    await callers.end();
    expect(callers.failures).to.deep.equal([]);
  });

  it('gives one that came back its share of the kept connections', async () => {
    const [, first] = await childrenOf(run);
    callers = new KeptConnections(installation.edgeUrl, 12);
    await expectShared(callers);
    process.kill(first!, 'SIGKILL');
    await eventually('it to be gone', () => isGone(first!), PATIENT);
    await eventually('all to serve', async () => (await byProcess('nodejs_heap_size_total_bytes')).size === 3, PATIENT);
    const failures = callers.failures.length;
    await expectShared(callers);
    await callers.end();
    expect(callers.failures, 'no more than those that it had in hand').to.have.lengthOf(failures);
  });

  it('replaces one that is killed, whose acknowledged impressions are billed', async () => {
    const before = await childrenOf(run);
    const already = traffic.confirmed;
    traffic.start(4);
    await eventually('impressions', () => traffic.confirmed >= already + 30, PATIENT);
    // The process with the other roles is started first.
    process.kill(before[1]!, 'SIGKILL');
    await run.said(/"msg":"a process is started in its place"/);
    await eventually('all to serve', async () => (await byProcess('nodejs_heap_size_total_bytes')).size === 3, PATIENT);
    await traffic.end();
    // A call that the killed process had in hand has no answer, and is repeated as a page does.
    for (const [url, confirmed] of traffic.pixels) if (!confirmed) await traffic.confirm(url);
    await traffic.expectBooks();
    expect(await childrenOf(run)).not.to.include(before[1]);
  });

  it('ends with its supervisor, however that ends', async () => {
    const children = await childrenOf(run);
    await run.kill();
    await eventually('all of them to be gone', () => children.every(isGone), PATIENT);
  });

  it('starts again after that, and goes on at SIGUSR2 where there is nothing to restart', async () => {
    run = await installation.start({ EDGE_WORKERS: '1' });
    run.signal('SIGUSR2');
    await run.said(/"msg":"SIGUSR2 restarts the edges of EDGE_WORKERS/);
    expect((await callJson('GET', `${installation.opsUrl}/readyz`)).status).to.equal(200);
    run.signal('SIGTERM');
    expect(await run.exited).to.equal(0);
  });

  it('stops what serves already as a stop does, where others still start', async () => {
    const starting = installation.run();
    await eventually(
      'management to serve',
      () =>
        fetch(installation.baseUrl).then(
          () => true,
          () => false,
        ),
      PATIENT,
    );
    starting.signal('SIGTERM');
    expect(await starting.exited, starting.stderr).to.equal(0);
    expect(starting.stderr).to.equal('');
    const stopping = starting.log.filter(({ msg, process }) => msg === 'stopping' && process === 'others');
    expect(stopping.map(({ signal, disconnected }) => [signal, disconnected])).to.deep.equal([['SIGTERM', undefined]]);
  });

  it('says why one cannot start, and leaves none behind', async () => {
    const taken = createServer().listen(Number(installation.environment.EDGE_PORT));
    const refused = installation.run();
    expect(await refused.exited).to.equal(1);
    taken.close();
    expect(refused.stderr).to.match(/port \d+ \(EDGE_PORT\) is in use by another program/);
    expect(refused.stderr).to.match(/The exchange could not start: the process edge-\d has ended at its start \(1\)/);
  });
});

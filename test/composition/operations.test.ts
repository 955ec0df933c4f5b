import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { Installation } from './installation.ts';
import { SandboxTraffic } from './sandbox-traffic.ts';

/** What dashboards and alerts are built on: each name, and its type. */
const SERIES: Readonly<Record<string, string>> = {
  actor_messages_total: 'counter',
  actor_batch_size: 'histogram',
  actor_save_seconds: 'histogram',
  actor_saved_documents_total: 'counter',
  actor_save_conflicts_total: 'counter',
  actor_ask_seconds: 'histogram',
  actor_asks_timed_out_total: 'counter',
  actor_activations: 'gauge',
  actor_dead_letters_total: 'counter',
  actor_quarantined: 'gauge',
  actor_partition_length: 'gauge',
  actor_partitions_owned: 'gauge',
  actor_session_failures_total: 'counter',
  actor_alarms_total: 'counter',
  catalogue_snapshots_total: 'counter',
  process_cpu_seconds_total: 'counter',
  process_resident_memory_bytes: 'gauge',
  nodejs_eventloop_lag_seconds: 'gauge',
};

describe('the operations port of the program', () => {
  let installation: Installation;
  beforeEach(async () => {
    installation = await Installation.make({ BOOTSTRAP_API_KEY: 'pk_live_of-this-test' });
  });
  afterEach(() => installation.remove());
  const get = (path: string) => callJson('GET', `${installation.opsUrl}${path}`);

  it('is ready only when every gateway serves, and says until then what is missing', async () => {
    const run = installation.run();
    const ready = await eventually(
      'readiness',
      async () => {
        const { status, body } = await get('/readyz');
        if (status === 200) return body;
        expect(status).to.equal(503);
        expect(body.status).to.equal('unready');
        expect(body.missing).to.include('start');
        expect((await get('/livez')).status, 'alive while it starts').to.equal(200);
        return false;
      },
      { timeoutMs: 30_000, everyMs: 1 },
    );
    expect(ready).to.deep.equal({ status: 'ready', missing: [] });
    expect((await callJson('GET', `${installation.baseUrl}/api/health`)).status).to.equal(200);
    expect(await new SandboxTraffic(installation).auction()).to.have.length(1);
    await run.serving();
    expect((await get('/livez')).body).to.deep.equal({ status: 'live' });
  });

  it('tells Prometheus of actors, catalogue and process', async () => {
    await installation.start();
    const { status, headers, body } = await get('/metrics');
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.contain('text/plain; version=0.0.4');
    for (const [name, type] of Object.entries(SERIES)) {
      expect(body, name)
        .to.contain(`# TYPE ${name} ${type}\n`)
        .and.match(new RegExp(`^# HELP ${name} \\S`, 'm'));
    }
    const value = (series: string) => Number(new RegExp(`^${series} (\\S+)$`, 'm').exec(body)?.[1]);
    expect(value('actor_messages_total\\{kind="account",outcome="applied"\\}')).to.equal(1);
    expect(value('actor_save_seconds_count')).to.be.above(0);
    expect(value('actor_ask_seconds_count')).to.be.above(0);
    expect(value('catalogue_snapshots_total')).to.equal(1);
    await eventually('the partitions to be counted', async () =>
      (await get('/metrics')).body.includes(`\nactor_partitions_owned ${installation.environment.PARTITIONS}\n`),
    );
  });

  it('listens on 127.0.0.1 alone unless OPS_HOST says otherwise', async () => {
    const port = installation.environment.OPS_PORT;
    const run = await installation.start();
    // Another address of the loopback network, which a port on all addresses would answer.
    const code = await fetch(`http://127.0.0.2:${port}/livez`).catch((error) => error.cause.code);
    expect(code).to.equal('ECONNREFUSED');
    await run.kill();
    await installation.run({ OPS_HOST: '0.0.0.0' }).serving();
    expect((await callJson('GET', `http://127.0.0.2:${port}/livez`)).status).to.equal(200);
  });
});

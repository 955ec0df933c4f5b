import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { readVersion } from '../../version.ts';
import { declaredMetrics, OF_SUPERVISORS } from '../documentation/metrics-page.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { metricsIn } from '../support/metrics-text.ts';
import { Installation } from './installation.ts';
import { SandboxTraffic } from './sandbox-traffic.ts';

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
      { timeoutMs: 60_000, everyMs: 1 },
    );
    expect(ready).to.deep.equal({ status: 'ready', missing: [] });
    expect((await callJson('GET', `${installation.baseUrl}/api/health`)).status).to.equal(200);
    expect(await new SandboxTraffic(installation).auction()).to.have.length(1);
    await run.serving();
    expect((await get('/livez')).body).to.deep.equal({ status: 'live' });
  });

  it('serves the metrics that docs/metrics.md names, and no others', async () => {
    await installation.start({ LOG_LEVEL_DATA_URL: pathToFileURL(join(installation.folder, 'log-level')).href });
    const { status, headers, body } = await get('/metrics');
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.contain('text/plain; version=0.0.4');
    const served = metricsIn(body);
    const sections = [...(await declaredMetrics())].filter(([title]) => title !== OF_SUPERVISORS);
    const declared = sections.flatMap(([, metrics]) => metrics);
    expect([...served.keys()]).to.have.members(declared.map(({ name }) => name));
    for (const { name, type, help, labels } of declared) {
      const { labels: used, ...described } = served.get(name)!;
      expect(described, name).to.deep.equal({ type, help });
      expect(labels, name).to.include.members(used);
    }
  });

  it('tells Prometheus of actors, catalogue, process and build', async () => {
    await installation.start({ REVISION: '0123abc' });
    const { body } = await get('/metrics');
    const value = (series: string) => Number(new RegExp(`^${series} (\\S+)$`, 'm').exec(body)?.[1]);
    const build = `version="${await readVersion()}",revision="0123abc",node_version="${process.version}"`;
    expect(value(`exchange_build_info\\{${build}\\}`)).to.equal(1);
    expect(value('actor_messages_total\\{kind="account",outcome="applied",log="main"\\}')).to.equal(1);
    expect(value('actor_save_seconds_count\\{log="main"\\}')).to.be.above(0);
    expect(value('actor_ask_seconds_count\\{log="main"\\}')).to.be.above(0);
    expect(value('catalogue_snapshots_total\\{log="main"\\}')).to.equal(1);
    await eventually('the partitions to be counted', async () =>
      (await get('/metrics')).body.includes(
        `\nactor_partitions_owned{log="main"} ${installation.environment.PARTITIONS}\n`,
      ),
    );
  });

  it('counts ad requests by endpoint and status, with how long they took, auctions and calls of the API', async () => {
    await installation.start();
    const traffic = new SandboxTraffic(installation);
    expect(await traffic.auction()).to.have.length(1);
    const invalid = { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } };
    expect((await fetch(`${installation.edgeUrl}/rtb`, invalid)).status).to.equal(400);
    expect(
      (await fetch(`${installation.edgeUrl}/`, { ...invalid, headers: { Origin: 'https://a.example' } })).status,
    ).to.equal(400);
    expect((await fetch(`${installation.edgeUrl}/vast`)).status).to.equal(400);
    expect((await fetch(`${installation.edgeUrl}/openrtb2/auction`, invalid)).status).to.equal(400);
    expect((await fetch(`${installation.edgeUrl}/openrtb2/amp`)).status).to.equal(400);
    expect((await installation.call('GET', '/api/supply/sources/none')).status).to.equal(404);
    const wanted = [
      'exchange_ad_requests_total{endpoint="rtb",code="200"} 1',
      'exchange_ad_requests_total{endpoint="rtb",code="400"} 2',
      'exchange_ad_requests_total{endpoint="vast",code="400"} 1',
      'exchange_ad_requests_total{endpoint="prebid",code="400"} 1',
      'exchange_ad_requests_total{endpoint="amp",code="400"} 1',
      'exchange_ad_request_seconds_count{endpoint="rtb"} 3',
      'exchange_ad_request_seconds_count{endpoint="vast"} 1',
      'exchange_auction_seconds_count{environment="sandbox"} 1',
      'exchange_auctions_total{environment="sandbox"} 1',
      'exchange_api_request_seconds_count{route="/api/supply/sources/:id",method="GET",status="4xx"} 1',
      'exchange_auctions_in_flight 0',
      'exchange_spool_files 0',
    ];
    const patterns = [
      /^exchange_bidder_call_seconds_count\{outcome="answered"\} [1-9]/m,
      /^exchange_bidder_breaker_state\{dsp="[^"]+",state="closed"\} 1$/m,
      /^scheduler_job_due_timestamp_seconds\{job_name="audit"\} \d+$/m,
    ];
    let missing: (RegExp | string)[] = [];
    await eventually(
      'all to be counted',
      async () => {
        const { body } = await get('/metrics');
        missing = [
          ...wanted.filter((line) => !body.includes(`\n${line}\n`)),
          ...patterns.filter((pattern) => !pattern.test(body)),
        ];
        return missing.length === 0;
      },
      { timeoutMs: 60_000 },
    ).catch((error) => {
      throw new Error(`${error.message}: ${missing.join(', ')}`);
    });
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

import { expect } from 'chai';
import { Registry } from 'prom-client';
import { gaugeAtScrape } from '#composition/metrics/at-scrape';
import { managementMetrics } from '#composition/metrics/management-metrics';
import { SERVERS_WITHIN_MS } from '#gateways/operations-deadlines';
import { FakeTimer } from '#test/async/fake-timer';

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

describe('composition/metrics/at-scrape', () => {
  it('leaves a gauge without values where it cannot be read, and the rest of the scrape as it is', async () => {
    const registry = new Registry();
    let fails = false;
    gaugeAtScrape(registry, { name: 'a_files', help: 'Files' }, async (note) => {
      note({}, 7);
      if (fails) throw new Error('EACCES');
    });
    gaugeAtScrape(registry, { name: 'b_files', help: 'Files' }, (note) => note({}, 3));
    expect(linesOf(await registry.metrics())).to.deep.equal(['a_files 7', 'b_files 3']);
    fails = true;
    expect(linesOf(await registry.metrics())).to.deep.equal(['b_files 3']);
  });

  it('waits for no read longer than it may: the series that hang are left out until they are read', async () => {
    const registry = new Registry();
    const timer = new FakeTimer();
    const reads: (() => void)[] = [];
    gaugeAtScrape(
      registry,
      { name: 'a_servers', help: 'Servers', labelNames: ['server'] },
      async (note) => {
        await new Promise<void>((resolve) => reads.push(resolve));
        note({ server: 'one' }, 7);
      },
      timer,
    );
    gaugeAtScrape(registry, { name: 'b_files', help: 'Files' }, (note) => note({}, 3));
    const scrape = async () => {
      const text = registry.metrics();
      timer.pass(SERVERS_WITHIN_MS);
      return linesOf(await text);
    };
    expect(await scrape()).to.deep.equal(['b_files 3']);
    expect(await scrape()).to.deep.equal(['b_files 3']);
    expect(reads, 'reads that hang do not add up').to.have.length(1);
    const text = registry.metrics();
    reads[0]!();
    expect(linesOf(await text)).to.deep.equal(['a_servers{server="one"} 7', 'b_files 3']);
    expect(timer.pending).to.equal(0);
  });
});

describe('composition/metrics/management-metrics', () => {
  it('has no more series than routes, methods and classes of status', async () => {
    const registry = new Registry();
    const observe = managementMetrics(registry);
    for (let call = 0; call < 500; call++) observe(null, `METHOD-${call}`, 400 + (call % 99), 1);
    observe('/api/jobs', 'GET', 200, 30);
    const counts = linesOf(await registry.metrics()).filter((line) => line.includes('_count'));
    expect(counts).to.deep.equal([
      'exchange_api_request_seconds_count{route="none",method="other",status="4xx"} 500',
      'exchange_api_request_seconds_count{route="/api/jobs",method="GET",status="2xx"} 1',
    ]);
  });
});

import { expect } from 'chai';
import { Registry } from 'prom-client';
import { gaugeAtScrape } from '#composition/metrics/at-scrape';
import { managementMetrics } from '#composition/metrics/management-metrics';

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

import { expect } from 'chai';
import { Registry } from 'prom-client';
import { dspLabels } from '#composition/metrics/bounded-names';
import { factMetrics } from '#composition/metrics/fact-metrics';
import { DspFacts, PlatformFacts, PublisherFacts } from '#edge/facts/counters';

/** Counts each number and each reason of these facts once. */
function countAll(facts: PublisherFacts | DspFacts | PlatformFacts): ReadonlyMap<string, number> {
  const fields = facts as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'number') fields[name] = 1;
    else if (value instanceof Object && 'add' in value) (value as { add(reason: string): void }).add('of-this-test');
  }
  return facts.take().counts;
}

/** Samples that are not 0, as `name{labels}` to value. */
async function samples(registry: Registry): Promise<Map<string, number>> {
  const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const read = lines.map((line): [string, number] => {
    const space = line.lastIndexOf(' ');
    return [line.slice(0, space), Number(line.slice(space + 1))];
  });
  return new Map(read.filter(([, value]) => value !== 0));
}

describe('composition/metrics/fact-metrics', () => {
  let registry: Registry;
  beforeEach(() => {
    registry = new Registry();
  });

  it('has what alerts ask for before anything is counted, so that the first count is an increase', async () => {
    factMetrics(registry, dspLabels(10));
    const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines).to.have.members(
      ['live', 'sandbox'].flatMap((environment) => [
        `exchange_auctions_total{environment="${environment}"} 0`,
        `exchange_impression_calls_total{environment="${environment}",outcome="refused"} 0`,
        `exchange_impression_calls_total{environment="${environment}",outcome="replayed-too-late"} 0`,
      ]),
    );
  });

  it('has a metric for whatever is counted of a demand source', async () => {
    const observe = factMetrics(registry, dspLabels(10))(false);
    const counts = countAll(new DspFacts('dsp-1'));
    expect(counts.size).to.be.above(12);
    observe('dsp', 'dsp-1', counts);
    const found = await samples(registry);
    expect([...found.values()].reduce((sum, value) => sum + value, 0)).to.equal(counts.size);
    expect(found.get('exchange_dsp_losses_total{dsp="dsp-1",environment="live",reason="of-this-test"}')).to.equal(1);
  });

  it('has a metric for whatever is counted of publishers and of the platform, once', async () => {
    const observe = factMetrics(registry, dspLabels(10))(true);
    const ofPublisher = countAll(new PublisherFacts('publisher-1'));
    const ofPlatform = countAll(new PlatformFacts());
    const all = new Set([...ofPublisher.keys(), ...ofPlatform.keys()]);
    observe('publisher', 'publisher-1', ofPublisher);
    expect((await samples(registry)).size, 'the counts of the platform include those of publishers').to.equal(0);
    observe('platform', 'platform', new Map([...all].map((fact) => [fact, 2])));
    const found = await samples(registry);
    expect(found.size).to.equal(all.size);
    expect(found.get('exchange_blocked_requests_total{environment="sandbox",reason="of-this-test"}')).to.equal(2);
  });

  it('names no more demand sources than it may, live and in the sandbox each, and no more reasons', async () => {
    const observeOf = factMetrics(registry, dspLabels(2));
    for (const sandbox of [false, true]) {
      for (let dsp = 0; dsp < 50; dsp++) observeOf(sandbox)('dsp', `dsp-${dsp}`, new Map([['bids', 1]]));
      for (let dsp = 0; dsp < 50; dsp++) observeOf(sandbox)('dsp', `dsp-${dsp}`, new Map([['bids', 1]]));
    }
    for (let reason = 0; reason < 500; reason++)
      observeOf(false)('platform', 'platform', new Map([[`blocked/reason-${reason}`, 1]]));
    const found = await samples(registry);
    const bids = [...found].filter(([name]) => name.startsWith('exchange_dsp_bids_total'));
    expect(Object.fromEntries(bids)).to.deep.equal({
      'exchange_dsp_bids_total{dsp="dsp-0",environment="live"}': 2,
      'exchange_dsp_bids_total{dsp="dsp-1",environment="live"}': 2,
      'exchange_dsp_bids_total{dsp="other",environment="live"}': 96,
      'exchange_dsp_bids_total{dsp="dsp-0",environment="sandbox"}': 2,
      'exchange_dsp_bids_total{dsp="dsp-1",environment="sandbox"}': 2,
      'exchange_dsp_bids_total{dsp="other",environment="sandbox"}': 96,
    });
    const blocked = [...found].filter(([name]) => name.startsWith('exchange_blocked_requests_total'));
    expect(blocked).to.have.length(65);
    expect(blocked.reduce((sum, [, value]) => sum + value, 0)).to.equal(500);
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { DurationHistogram } from '#composition/metrics/duration-histogram';

describe('composition/metrics/duration-histogram', () => {
  it('writes what a histogram of the library writes of the same durations', async () => {
    const boundsMs = [1, 2.5, 10, 150];
    const observation = fc.tuple(fc.constantFrom('rtb', 'vast'), fc.integer({ min: 0, max: 200_000 }));
    await fc.assert(
      fc.asyncProperty(fc.array(observation, { maxLength: 60 }), async (observations) => {
        const [ours, theirs] = [new Registry(), new Registry()];
        const described = { name: 'a_thing_seconds', help: 'How long a thing took', labelNames: ['endpoint'] as const };
        const own = new DurationHistogram(ours, { ...described, boundsMs });
        const reference = new Histogram({
          ...{ name: described.name, help: described.help, labelNames: ['endpoint'] },
          buckets: boundsMs.map((ms) => ms / 1000),
          registers: [theirs],
        });
        for (const [endpoint, micros] of observations) {
          own.of(endpoint).observe(micros / 1000);
          reference.observe({ endpoint }, micros / 1_000_000);
        }
        expect(samplesOf(await ours.metrics())).to.deep.equal(samplesOf(await theirs.metrics()));
      }),
    );
  });

  it('keeps one series for each set of labels', () => {
    const histogram = new DurationHistogram(new Registry(), { name: 'b_seconds', help: 'b', labelNames: ['a', 'b'] });
    expect(histogram.of('1', '2')).to.equal(histogram.of('1', '2')).and.not.equal(histogram.of('2', '1'));
  });
});

/** Values by name and labels, whatever the order of either; sums to the microsecond. */
function samplesOf(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line)!;
      return [`${name}{${labels.split(',').sort().join()}}`, Math.round(Number(value) * 1e6) / 1e6];
    }),
  );
}

import { expect } from 'chai';
import { SeededRandom } from '#runtime/simulator/seeded-random';
import { drawRegions } from './draw-regions.ts';

const SEEDS = 300;
/** One way of a round trip of 80, 150 and 300 ms, with what a way may differ by. */
const WAYS_MS = [
  [32, 48],
  [60, 90],
  [120, 180],
] as const;

describe('the regions of a simulated run', () => {
  const drawn = Array.from({ length: SEEDS }, (_, seed) => drawRegions(new SeededRandom(seed), true));

  it('are one to three, each in a quarter of the seeds at least', () => {
    for (const number of [1, 2, 3]) {
      expect(drawn.filter(({ length }) => length === number).length, `${number} regions`).to.be.above(SEEDS / 4);
    }
    expect(drawRegions(new SeededRandom(1), false)).to.deep.equal([]);
  });

  it('have names of their own, and ways of 80, 150 and 300 ms to home and back beside short ones', () => {
    for (const regions of drawn) expect(new Set(regions.map(({ name }) => name)).size).to.equal(regions.length);
    const ways = drawn.flat().map(({ oneWayMs }) => oneWayMs);
    for (const [lowMs, highMs] of WAYS_MS) {
      const alike = ways.filter((wayMs) => wayMs >= lowMs && wayMs <= highMs).length;
      expect(alike, `one way of ${lowMs} to ${highMs} ms`).to.be.above(ways.length / 8);
    }
    for (const regions of drawn.filter(({ length }) => length === 3)) {
      const sorted = regions.map(({ oneWayMs }) => oneWayMs).sort((a, b) => a - b);
      expect(sorted[2]! / sorted[0]!, 'the longest way of three beside the shortest').to.be.above(1.5);
    }
  });
});

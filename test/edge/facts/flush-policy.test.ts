import { expect } from 'chai';
import fc from 'fast-check';
import { countByAge, updatesDue } from '#edge/facts/flush-policy';

const WITHIN_S = 15;

describe('the number of updates that a flush sends', () => {
  it('is an even share of what waits, and all of what has waited long enough', () => {
    expect(updatesDue([], WITHIN_S)).to.equal(0);
    expect(updatesDue([30_000], WITHIN_S)).to.equal(2_000);
    expect(updatesDue([0, 0, 0, 30_000], WITHIN_S)).to.equal(2_500);
    expect(updatesDue(countByAge([0, 1_000, 14_000], 15_000, WITHIN_S), WITHIN_S), 'the oldest now').to.equal(2);
    expect(updatesDue(countByAge([0, 0, 15_000], 40_000, WITHIN_S), WITHIN_S), 'all that is overdue').to.equal(3);
  });

  it('sends each update in time, and no burst: at most what the fullest time has needed', () => {
    const arrivals = fc.array(fc.nat(5_000), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(arrivals, (arriving) => {
        // The number of waiting updates by the second in which they came.
        const waiting = new Map<number, number>();
        const most = Math.max(
          ...arriving.map((_, at) => inAll(arriving.slice(Math.max(0, at - WITHIN_S + 1), at + 1))),
        );
        for (let second = 0; second < arriving.length + WITHIN_S; second++) {
          if (arriving[second]) waiting.set(second, arriving[second]!);
          const byAge = countByAge(
            [...waiting].flatMap(([since, count]) => new Array<number>(count).fill(since * 1_000)),
            second * 1_000,
            WITHIN_S,
          );
          let due = updatesDue(byAge, WITHIN_S);
          expect(due).to.be.at.most(Math.ceil(most));
          for (const [since, count] of waiting) {
            const sent = Math.min(count, due);
            due -= sent;
            if (sent === count) waiting.delete(since);
            else waiting.set(since, count - sent);
          }
          for (const since of waiting.keys()) expect(second - since).to.be.below(WITHIN_S - 1);
        }
        expect([...waiting.values()], 'nothing is left').to.be.empty;
      }),
      { numRuns: 100 },
    );
  });
});

function inAll(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

import { expect } from 'chai';
import { comparePositions, positionOf, START } from '#runtime/ports/position';
import { PartitionState } from '#runtime/simulator/partition-state';
import { SeededRandom } from '#runtime/simulator/seeded-random';

describe('a partition of the simulated log', () => {
  it('shows what is behind any position and on disk, as a look at each entry does', () => {
    const random = new SeededRandom('positions');
    for (let round = 0; round < 200; round += 1) {
      const state = new PartitionState(0);
      // Times of another number of digits are compared as numbers.
      const fromMs = random.pick([5, 95, 1_772_323_200_000]);
      const positions = [START, positionOf(fromMs - 1, 9), positionOf(fromMs + 30, 0)];
      for (let entries = random.below(12); entries > 0; entries -= 1)
        positions.push(state.append(fromMs + random.below(10), `entry ${entries}`));
      const synced = random.pick(positions);
      state.sync(synced);
      for (const after of positions) {
        const limit = random.pick([1, 3, 100]);
        const shown = state.entries.filter(
          ({ position }) => comparePositions(position, after) > 0 && comparePositions(position, synced) <= 0,
        );
        expect(state.after(after, limit), `behind ${after}`).to.deep.equal(shown.slice(0, limit));
      }
    }
  });
});

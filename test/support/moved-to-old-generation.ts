import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' | 'major' }) => void;

/** Turns between two collections of the young generation. */
const TURNS = 100;
const COLLECTIONS = 30;

/**
 * Bytes that move to V8's old generation in 3,000 calls of `turn`, with a collection of the young generation after each
 * hundredth: what is reached no more is gone then, and what survives two of them moves.
 */
export function movedToOldGeneration(turn: () => void): number {
  // Everything that is there before moves first, and code is compiled.
  for (let index = 0; index < TURNS; index++) turn();
  for (let index = 0; index < 3; index++) collect({ type: 'minor' });
  let moved = 0;
  for (let collection = 0; collection < COLLECTIONS; collection++) {
    for (let index = 0; index < TURNS; index++) turn();
    // A full collection that comes meanwhile only takes away.
    const before = oldBytes();
    collect({ type: 'minor' });
    moved += Math.max(0, oldBytes() - before);
  }
  return moved;
}

function oldBytes(): number {
  const old = getHeapSpaceStatistics().filter(
    ({ space_name }) => space_name === 'old_space' || space_name === 'large_object_space',
  );
  return old.reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}

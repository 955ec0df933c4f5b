import { hashAddress } from './kind-registry.ts';

/** A uniform generator in [0, 1) that gives the same draws for the same seed (mulberry32). */
export function seededRandom(seed: string): () => number {
  let state = hashAddress(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

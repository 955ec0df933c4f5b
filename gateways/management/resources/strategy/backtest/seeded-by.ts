const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Uniform in [0, 1), the same draws for the same text: FNV-1a seeds mulberry32. */
export function seededBy(text: string): () => number {
  let state = FNV_OFFSET;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), FNV_PRIME);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

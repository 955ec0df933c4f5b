/** The versions that are written; anything from 2.0 to 4.x is read. Ascending. */
export const VAST_VERSIONS = ['2.0', '3.0', '4.0', '4.1', '4.2'] as const;
export type VastVersion = (typeof VAST_VERSIONS)[number];

/** Whether `version` knows what came with `since`. */
export function isAtLeast(version: VastVersion, since: VastVersion): boolean {
  return VAST_VERSIONS.indexOf(version) >= VAST_VERSIONS.indexOf(since);
}

/** AdCOM, List: Creative Subtypes - Audio/Video (`imp.video.protocols`): inline documents alone, since we serve those. */
const INLINE_PROTOCOLS: Readonly<Record<number, VastVersion>> = {
  2: '2.0',
  3: '3.0',
  7: '4.0',
  11: '4.1',
  13: '4.2',
};

/** The newest version that `protocols` allow: 4.2 where they say nothing, null where none of them is a VAST we write. */
export function newestAllowed(protocols: readonly number[] | undefined): VastVersion | null {
  if (protocols === undefined || protocols.length === 0) return '4.2';
  const allowed = new Set(protocols.map((protocol) => INLINE_PROTOCOLS[protocol]));
  return VAST_VERSIONS.findLast((version) => allowed.has(version)) ?? null;
}

/** `bid.protocol` of an inline document. */
export function protocolOf(version: VastVersion): number {
  return Number(Object.keys(INLINE_PROTOCOLS).find((protocol) => INLINE_PROTOCOLS[Number(protocol)] === version));
}

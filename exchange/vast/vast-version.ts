/** The versions that are written, ascending. Any version from 2.0 to 4.x is read. */
export const VAST_VERSIONS = ['2.0', '3.0', '4.0', '4.1', '4.2'] as const;
export type VastVersion = (typeof VAST_VERSIONS)[number];

/** Whether `version` is `since` or newer. */
export function isAtLeast(version: VastVersion, since: VastVersion): boolean {
  return VAST_VERSIONS.indexOf(version) >= VAST_VERSIONS.indexOf(since);
}

/** AdCOM 1.0, List: Creative Subtypes - Audio/Video (`imp.video.protocols`, `bid.protocol`). */
export const PROTOCOLS: Readonly<Record<VastVersion, { readonly inline: number; readonly wrapper: number }>> = {
  '2.0': { inline: 2, wrapper: 5 },
  '3.0': { inline: 3, wrapper: 6 },
  '4.0': { inline: 7, wrapper: 8 },
  '4.1': { inline: 11, wrapper: 12 },
  '4.2': { inline: 13, wrapper: 14 },
};

/**
 * The newest version of an inline document that `protocols` allow: 4.2 where they are not given, and null where they
 * allow no version that is written.
 */
export function newestAllowed(protocols: readonly number[] | undefined): VastVersion | null {
  if (protocols === undefined || protocols.length === 0) return '4.2';
  return VAST_VERSIONS.findLast((version) => protocols.includes(PROTOCOLS[version].inline)) ?? null;
}

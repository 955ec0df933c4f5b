import { PROTOCOLS, VAST_VERSIONS, type VastVersion } from './vast-version.ts';

/** The VAST documents that a player has said it takes. */
export interface VastPlayer {
  /** The versions that the player takes; null where it did not say. */
  readonly versions: readonly VastVersion[] | null;
  /** Whether the player follows wrappers; with false it takes inline ads only. */
  readonly wrappers: boolean;
  /** Whether the player wants a pod. The documents are then rewritten as one, so their versions do not matter. */
  readonly pod?: boolean;
}

/** The properties of a document that decide whether a player takes it. */
export interface VastFacts {
  /** The root's `version`, as written. */
  readonly version: string;
  /** Whether one of its ads is a `Wrapper`. */
  readonly hasWrapper: boolean;
}

/** The `protocols` of an imp for such a player, ascending. */
export function protocolsOf({ versions, wrappers }: VastPlayer): number[] {
  const protocols = (versions ?? VAST_VERSIONS).flatMap((version) => {
    const { inline, wrapper } = PROTOCOLS[version];
    return wrappers ? [inline, wrapper] : [inline];
  });
  return protocols.sort((one, other) => one - other);
}

/** Whether a player takes a document. Version `2.0.1` counts as 2.0; a player that named no version takes any. */
export function takesVast(
  { versions, wrappers, pod = false }: VastPlayer,
  { version, hasWrapper }: VastFacts,
): boolean {
  if (hasWrapper && !wrappers) return false;
  return pod || versions === null || versions.some((taken) => version === taken || version.startsWith(`${taken}.`));
}

import { PROTOCOLS, VAST_VERSIONS, type VastVersion } from './vast-version.ts';

/** Which VAST documents a player has said that it takes. */
export interface VastPlayer {
  /** Null: it did not say. */
  readonly versions: readonly VastVersion[] | null;
  /** False: inline ads only, it follows no wrappers. */
  readonly wrappers: boolean;
  /** It wants a pod: what documents say is written anew as one, so that their versions are no matter. */
  readonly pod?: boolean;
}

/** Of a document, what decides whether a player takes it. */
export interface VastFacts {
  /** The root's `version`, as it stands there. */
  readonly version: string;
  /** Whether one of its ads is a `Wrapper`. */
  readonly hasWrapper: boolean;
}

/** `protocols` of an imp that such a player shows, ascending. */
export function protocolsOf({ versions, wrappers }: VastPlayer): number[] {
  const protocols = (versions ?? VAST_VERSIONS).flatMap((version) => {
    const { inline, wrapper } = PROTOCOLS[version];
    return wrappers ? [inline, wrapper] : [inline];
  });
  return protocols.sort((one, other) => one - other);
}

/** Whether a player takes a document. `2.0.1` is a 2.0; to a player that named no version, versions are no matter. */
export function takesVast(
  { versions, wrappers, pod = false }: VastPlayer,
  { version, hasWrapper }: VastFacts,
): boolean {
  if (hasWrapper && !wrappers) return false;
  return pod || versions === null || versions.some((taken) => version === taken || version.startsWith(`${taken}.`));
}

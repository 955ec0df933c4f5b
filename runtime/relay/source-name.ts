/** The name of a region's log at home. */
export function sourceName(region: string, identity: string): string {
  return `${region}#${identity}`;
}

/** The identity of a source's log (see `RelayedAppends.identity`). */
export function identityOf(source: string): string {
  return source.slice(source.indexOf('#') + 1);
}

/** When the log of a source was made, ms since the epoch. */
export function madeAtMsOf(source: string): number {
  return Number.parseInt(identityOf(source), 36);
}

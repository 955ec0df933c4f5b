/** The name of a region's log at home. */
export function sourceName(region: string, identity: string): string {
  return `${region}#${identity}`;
}

/** When the log of a source was made, ms since the epoch (see `RelayedAppends.identity`). */
export function madeAtMsOf(source: string): number {
  return Number.parseInt(source.slice(source.indexOf('#') + 1), 36);
}

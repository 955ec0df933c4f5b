const DEFAULT_DATABASE = 'exchange';

/** The database that the URL names, or the default. */
export function databaseNamedBy(url: string): string {
  const name = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1];
  return name === undefined ? DEFAULT_DATABASE : decodeURIComponent(name);
}

/** The collection of a kind's actors. */
export function collectionOf(kind: string): string {
  return `actors.${kind}`;
}

const DEFAULT_DATABASE = 'exchange';

/** The database that the URL names, or the one that is used where it names none. */
export function databaseNamedBy(url: string): string {
  const name = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1];
  return name === undefined ? DEFAULT_DATABASE : decodeURIComponent(name);
}

/** Where the actors of a kind lie. */
export function collectionOf(kind: string): string {
  return `actors.${kind}`;
}

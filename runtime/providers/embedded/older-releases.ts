import type { Environment } from './environment.ts';

/**
 * The key of the record in `kinds` by which release 0.4 refuses the data folder: it parses each record there as JSON
 * when it opens the folder. No kind has this name.
 */
export const REFUSAL_KEY = '#release';

/**
 * What that record says. Release 0.4 ends at its start with: `the data folder … cannot be opened: Unexpected token 'o',
 * "of a newer release" is not valid JSON`. A longer text would be cut in that message.
 */
const REFUSAL = 'of a newer release';

/** In a commit group: has release 0.4 refuse to open the data folder. */
export function refuseOlderReleases({ kinds }: Environment): void {
  kinds.put(REFUSAL_KEY, REFUSAL);
}

/** In a commit group: has release 0.4 open the data folder again. */
export function admitOlderReleases({ kinds }: Environment): void {
  kinds.remove(REFUSAL_KEY);
}

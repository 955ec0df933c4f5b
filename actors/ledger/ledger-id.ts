export const DAY_MS = 86_400_000;

/**
 * The scope of a ledger: whose books it holds. An account's ledgers hold the live sales of its publishers; there are
 * none for its sandbox.
 */
export type LedgerScope = 'publisher' | 'dsp' | 'campaign' | 'account' | 'platform';

/** The owner id of the platform's ledgers. */
export const PLATFORM_OWNER_ID = 'exchange';

/**
 * The id of a ledger: `<scope>:<owner id>:<UTC day>`, followed by `:sandbox` for trades in the sandbox. Live and
 * sandbox are different actors, so they cannot mix: a source that leaves the sandbox leaves its sandbox figures there,
 * and flushing the sandbox never touches money.
 *
 * `sandboxGeneration` is the number of flushes of the source's sandbox (for a campaign: of its DSP's); each flush
 * begins other ledgers, `:sandbox.1`, `:sandbox.2` … The platform's sandbox books are never flushed: their generation
 * is always 0.
 */
export function ledgerId(
  scope: LedgerScope,
  ownerId: string,
  atMs: number,
  sandbox: boolean,
  sandboxGeneration = 0,
): string {
  const id = `${scope}:${encodeURIComponent(ownerId)}:${utcDay(atMs)}`;
  if (!sandbox) return id;
  return sandboxGeneration === 0 ? `${id}:sandbox` : `${id}:sandbox.${sandboxGeneration}`;
}

/** The parts of a ledger's id. */
export interface LedgerIdParts {
  readonly scope: LedgerScope;
  readonly whose: string;
  /** UTC, `yyyy-mm-dd`. */
  readonly day: string;
  readonly sandbox: boolean;
  /** 0 for live ledgers. */
  readonly sandboxGeneration: number;
}

export function parseLedgerId(id: string): LedgerIdParts {
  const [scope, ownerId = '', day = '', sandbox] = id.split(':');
  return {
    scope: scope as LedgerScope,
    whose: decodeURIComponent(ownerId),
    day,
    sandbox: sandbox !== undefined,
    sandboxGeneration: Number(sandbox?.split('.')[1] ?? 0),
  };
}

/** The day in a ledger's id, `yyyy-mm-dd`. */
export function dayOfLedger(id: string): string {
  return id.split(':')[2] ?? '';
}

/**
 * The key by which a ledger is found by its age: `live/<UTC day>` or `sandbox/<UTC day>`. The days of each sort as
 * text.
 * @param id of a ledger
 */
export function ledgerAgeKey(id: string): string {
  return `${id.split(':')[3] === undefined ? 'live' : 'sandbox'}/${dayOfLedger(id)}`;
}

/** The last result: the day is needed with every impression and changes once a day. */
let lastDay = { number: -1, text: '' };

/** `yyyy-mm-dd`. */
export function utcDay(atMs: number): string {
  const number = Math.floor(atMs / DAY_MS);
  if (number !== lastDay.number) lastDay = { number, text: new Date(atMs).toISOString().slice(0, 10) };
  return lastDay.text;
}

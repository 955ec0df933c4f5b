export const DAY_MS = 86_400_000;

/** Whose books a ledger keeps. An account's are of what its publishers have sold live; its sandbox has none. */
export type LedgerScope = 'publisher' | 'dsp' | 'campaign' | 'account' | 'platform';

/** The platform's one set of books is nobody else's. */
export const PLATFORM_OWNER_ID = 'exchange';

/**
 * The id of a ledger: `<scope>:<whose>:<UTC day>`, with `:sandbox` behind it for what was traded in the sandbox. Live
 * and sandbox are different actors, so they cannot mix: a source that leaves the sandbox leaves its sandbox figures
 * there, and flushing the sandbox never touches money.
 *
 * `sandboxGeneration` is how often the source's sandbox was flushed (a campaign's: its DSP's); each flush begins other
 * ledgers, `:sandbox.1`, `:sandbox.2` … The platform's sandbox books are nobody's to flush: always generation 0.
 */
export function ledgerId(
  scope: LedgerScope,
  whose: string,
  atMs: number,
  sandbox: boolean,
  sandboxGeneration = 0,
): string {
  const id = `${scope}:${encodeURIComponent(whose)}:${utcDay(atMs)}`;
  if (!sandbox) return id;
  return sandboxGeneration === 0 ? `${id}:sandbox` : `${id}:sandbox.${sandboxGeneration}`;
}

/** What a ledger's id says. */
export interface LedgerIdParts {
  readonly scope: LedgerScope;
  readonly whose: string;
  /** UTC, `yyyy-mm-dd`. */
  readonly day: string;
  readonly sandbox: boolean;
  /** 0 for all that is live. */
  readonly sandboxGeneration: number;
}

export function parseLedgerId(id: string): LedgerIdParts {
  const [scope, whose = '', day = '', sandbox] = id.split(':');
  return {
    scope: scope as LedgerScope,
    whose: decodeURIComponent(whose),
    day,
    sandbox: sandbox !== undefined,
    sandboxGeneration: Number(sandbox?.split('.')[1] ?? 0),
  };
}

/** The day that a ledger's id names, as `yyyy-mm-dd`. */
export function dayOfLedger(id: string): string {
  return id.split(':')[2] ?? '';
}

/**
 * Where a ledger is found by its age: `live/<UTC day>` or `sandbox/<UTC day>`. Days of either sort as text.
 * @param id of a ledger
 */
export function ledgerAgeKey(id: string): string {
  return `${id.split(':')[3] === undefined ? 'live' : 'sandbox'}/${dayOfLedger(id)}`;
}

/** The day asked for last: asked for with every impression, it changes once a day. */
let lastDay = { number: -1, text: '' };

/** `yyyy-mm-dd`. */
export function utcDay(atMs: number): string {
  const number = Math.floor(atMs / DAY_MS);
  if (number !== lastDay.number) lastDay = { number, text: new Date(atMs).toISOString().slice(0, 10) };
  return lastDay.text;
}

const DAY_MS = 86_400_000;

/** Whose books a ledger keeps. */
export type LedgerScope = 'publisher' | 'dsp' | 'campaign' | 'platform';

/** The platform's one pair of books: live and sandbox. */
export const PLATFORM = 'exchange';

/**
 * The id of a ledger: `<scope>:<whose>:<UTC day>`, with `:sandbox` behind it for what was traded in the sandbox. Live
 * and sandbox are different actors, so they cannot mix: a source that leaves the sandbox leaves its sandbox figures
 * there, and flushing the sandbox never touches money.
 */
export function ledgerId(scope: LedgerScope, whose: string, atMs: number, sandbox: boolean): string {
  const id = `${scope}:${whose}:${utcDay(atMs)}`;
  return sandbox ? `${id}:sandbox` : id;
}

/** `yyyy-mm-dd`. */
export function utcDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

export function startOfUtcDay(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}

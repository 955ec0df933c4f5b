import type { RenderAccount } from './render-account.ts';

/** Upper bound of accounts in memory whose sums the other edges know. */
const USUAL_ACCOUNTS = 20_000;
/** Upper bound of all accounts: those whose sums the others do not know must be kept. */
const MOST_ACCOUNTS = 2 * USUAL_ACCOUNTS;
/** So many accounts are looked at for each new one beyond the usual bound, in turn. */
const LOOKS = 8;
/** An account that an auction asked for within this many ms goes only where there is no room for a new one. */
const IN_USE_MS = 10_000;

/**
 * Accounts by id, a bounded number. Beyond the usual one, each new account takes the place of some that are not in use,
 * once the other edges know their sums. While these cannot be told, none can go: then there are up to
 * twice as many, and beyond that a new account is not kept, so that its publisher sells as one that holds nothing.
 * Nobody is refused for want of memory, and what is known goes on to bind; it is free again when it is told, or can be
 * rendered no more. A new account costs the same whatever the number of accounts.
 */
export class KeptAccounts {
  /** Those to be looked at next first. */
  readonly #accounts = new Map<string, RenderAccount>();

  has(id: string): boolean {
    return this.#accounts.has(id);
  }

  get(id: string): RenderAccount | undefined {
    return this.#accounts.get(id);
  }

  /** Adds a new account at `atMs` of the monotonic clock; false: there is no room, and it is not kept. */
  add(id: string, account: RenderAccount, atMs: number): boolean {
    if (this.#accounts.size >= USUAL_ACCOUNTS) this.#makeRoom(atMs);
    if (this.#accounts.size >= MOST_ACCOUNTS) return false;
    this.#accounts.set(id, account);
    return true;
  }

  values(): Iterable<RenderAccount> {
    return this.#accounts.values();
  }

  #makeRoom(atMs: number): void {
    const isFull = this.#accounts.size >= MOST_ACCOUNTS;
    let looks = 0;
    for (const [id, account] of this.#accounts) {
      if (++looks > LOOKS || this.#accounts.size < USUAL_ACCOUNTS) return;
      this.#accounts.delete(id);
      // Those that stay are put last: the next time others are looked at.
      if (!account.isSettled || (atMs - account.askedAtMs <= IN_USE_MS && !isFull)) this.#accounts.set(id, account);
    }
  }
}

import type { RenderAccount } from './render-account.ts';

/** Upper bound of accounts in memory whose sums the other edges know. */
const USUAL_ACCOUNTS = 20_000;
/** Upper bound of all accounts: those whose sums the others do not know must be kept. */
const MOST_ACCOUNTS = 2 * USUAL_ACCOUNTS;
/** So many of the accounts used longest ago are looked at for each new one beyond the usual bound. */
const LOOKS = 8;

/**
 * Accounts by id, a bounded number. Beyond the usual one, each new account takes the place of some of those used
 * longest ago, once the other edges know their sums. While these cannot be told, none can go: then there are up to
 * twice as many, and beyond that a new account is not kept, so that its publisher sells as one that holds nothing.
 * Nobody is refused for want of memory, and what is known goes on to bind; it is free again when it is told, or can be
 * rendered no more. A new account costs the same whatever the number of accounts.
 */
export class KeptAccounts {
  /** Those used longest ago first. */
  readonly #accounts = new Map<string, RenderAccount>();

  has(id: string): boolean {
    return this.#accounts.has(id);
  }

  /** The account, which is now the one used last. */
  get(id: string): RenderAccount | undefined {
    const account = this.#accounts.get(id);
    if (account !== undefined) this.#putLast(id, account);
    return account;
  }

  /** Adds a new account; false: there is no room, and it is not kept. */
  add(id: string, account: RenderAccount): boolean {
    if (this.#accounts.size >= USUAL_ACCOUNTS) this.#makeRoom();
    if (this.#accounts.size >= MOST_ACCOUNTS) return false;
    this.#accounts.set(id, account);
    return true;
  }

  values(): Iterable<RenderAccount> {
    return this.#accounts.values();
  }

  #makeRoom(): void {
    let looks = 0;
    for (const [id, account] of this.#accounts) {
      if (++looks > LOOKS || this.#accounts.size < USUAL_ACCOUNTS) return;
      if (account.isSettled) this.#accounts.delete(id);
      // The next time others are looked at.
      else this.#putLast(id, account);
    }
  }

  #putLast(id: string, account: RenderAccount): void {
    this.#accounts.delete(id);
    this.#accounts.set(id, account);
  }
}

import { account } from '#actors/account/account';
import { dsp } from '#actors/dsp/dsp';
import { syntheticBidders } from '../../bidders/synthetic/synthetic-bidders.ts';
import { type AccountSandboxDeps, createAccountSandbox, isSandboxComplete, syntheticDspId } from './account-sandbox.ts';

/** The number of accounts whose sandboxes one read of the store checks. */
const ACCOUNTS_A_PAGE = 200;

/**
 * Creates the sandbox of each account that has none: accounts that an earlier release opened, and accounts whose
 * creation was interrupted. One account follows another, so that a first start with many accounts does not delay the
 * users; the next start repeats what fails. Resolves when all sandboxes exist, or soon after `signal` has aborted.
 */
export async function createMissingSandboxes(deps: AccountSandboxDeps, signal: AbortSignal): Promise<void> {
  const { store, logger } = deps;
  for (let skip = 0; !signal.aborted; skip += ACCOUNTS_A_PAGE) {
    const { documents } = await store.query(account.kind, { orderBy: 'createdAt', skip, limit: ACCOUNTS_A_PAGE });
    const last = syntheticBidders.length - 1;
    const made = await store.load(documents.map(({ id }) => ({ kind: dsp.kind, id: syntheticDspId(last, id) })));
    for (const [index, { id }] of documents.entries()) {
      if (signal.aborted) return;
      if (isSandboxComplete(made[index] ?? null)) continue;
      await createAccountSandbox(deps, id).catch((err) =>
        logger.warn({ err, accountId: id }, 'the sandbox of an account was not made; the next start makes it'),
      );
    }
    if (documents.length < ACCOUNTS_A_PAGE) return;
  }
}

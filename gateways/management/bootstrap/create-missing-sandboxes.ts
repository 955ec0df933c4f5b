import { account } from '../../../actors/account/account.ts';
import { dsp } from '../../../actors/dsp/dsp.ts';
import { syntheticBidders } from '../../bidders/synthetic/synthetic-bidders.ts';
import { type AccountSandboxDeps, createAccountSandbox, isSandboxComplete, syntheticDspId } from './account-sandbox.ts';

/** Accounts whose sandboxes are looked at by one read of the store. */
const ACCOUNTS_A_PAGE = 200;

/**
 * Makes the sandbox of each account that has none: of those that an earlier release opened, and of those whose opening was cut off.
 * One account after another, so that a first start with many does not hold up its users; what fails is left to the next start.
 * Resolves when all are made, or soon after `signal` has aborted.
 */
export async function createMissingSandboxes(parts: AccountSandboxDeps, signal: AbortSignal): Promise<void> {
  const { store, logger } = parts;
  for (let skip = 0; !signal.aborted; skip += ACCOUNTS_A_PAGE) {
    const { documents } = await store.query(account.kind, { orderBy: 'createdAt', skip, limit: ACCOUNTS_A_PAGE });
    const last = syntheticBidders.length - 1;
    const made = await store.load(documents.map(({ id }) => ({ kind: dsp.kind, id: syntheticDspId(last, id) })));
    for (const [index, { id }] of documents.entries()) {
      if (signal.aborted) return;
      if (isSandboxComplete(made[index] ?? null)) continue;
      await createAccountSandbox(parts, id).catch((err) =>
        logger.warn({ err, accountId: id }, 'the sandbox of an account was not made; the next start makes it'),
      );
    }
    if (documents.length < ACCOUNTS_A_PAGE) return;
  }
}

import { pool } from '#actors/pool/pool';
import { publisher } from '#actors/publisher/publisher';
import type { Condition } from '#runtime/ports/store';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import { seesAll } from '../auctions/perspective.ts';
import { ownSourcesWhere } from '../sources-where.ts';

/** The most supply sources, and pools, that a narrowed call looks at: those that changed last. */
const MOST_SCOPES = 1_000;

/**
 * The condition for decisions and modes in scopes that the caller sees: of its account, of its account's pools, and of
 * supply sources of its context. With `scopeId` those of that scope alone, if it is one of them.
 */
export async function scopesWhere(
  { store }: Pick<ManagementDeps, 'store'>,
  caller: Caller,
  scopeId: string | undefined,
): Promise<Record<string, Condition>> {
  const { accountId, partnerId, scope } = caller;
  if (seesAll(caller) && scopeId !== undefined && scopeId !== '') return { scopeId };
  if (partnerId === null && !scope.sandboxOnly) {
    return { accountId, ...(scopeId === undefined ? {} : { scopeId: scopeId === '' ? accountId : scopeId }) };
  }
  const newest = { orderBy: 'updatedAt', descending: true, limit: MOST_SCOPES } as const;
  const [publishers, pools] = await Promise.all([
    store.find(publisher.kind, {
      where: { ...ownSourcesWhere(caller), ...(scope.sandboxOnly && { sandbox: true }) },
      ...newest,
    }),
    store.find(pool.kind, { where: { accountId }, ...newest }),
  ]);
  const ids = [accountId, ...[...publishers, ...pools].map(({ id }) => id)];
  return { accountId, scopeId: { in: scopeId === undefined ? ids : ids.filter((id) => id === scopeId) } };
}

import { partner } from '../../../../../actors/partner/partner.ts';
import type { Caller } from '../../../identity/caller.ts';
import type { ManagementParts } from '../../../parts.ts';

/** Empties the sandbox figures of the moment, the partner's or the whole account's with all of its partners'. */
export async function flushLive({ live, store }: ManagementParts, { accountId, partnerId }: Caller): Promise<void> {
  const partners = partnerId === null ? (await store.query(partner.kind, { where: { accountId } })).documents : [];
  await live.flushSandbox(
    accountId,
    partnerId,
    partners.map(({ id }) => id),
  );
}

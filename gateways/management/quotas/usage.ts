import { createHash } from 'node:crypto';
import { LIMITED_RESOURCES } from '#actors/account/limits';
import { filesQuotaId, quota, quotaId } from '#actors/quota/quota';
import { type QuotaState, usageOf } from '#actors/quota/reduce';
import type { ManagementDeps } from '../deps.ts';
import { isWeighed } from './quota-resources.ts';

/** A value for an ETag that differs whenever the usage differs. */
export function usageEtag(usage: object): string {
  return createHash('sha256').update(JSON.stringify(usage)).digest('base64url').slice(0, 8);
}

/** Loads the usage of an account under each limit, keyed by the limit's name, as the quotas have it saved. */
export async function usageOfAccount(
  { store }: Pick<ManagementDeps, 'store'>,
  accountId: string,
): Promise<{ live: Record<string, number>; sandbox: Record<string, number> }> {
  const of = async (sandbox: boolean) => {
    const keys = LIMITED_RESOURCES.map((resource) => ({ kind: quota.kind, id: quotaId(accountId, sandbox, resource) }));
    const documents = await store.load([...keys, { kind: quota.kind, id: filesQuotaId(accountId, sandbox) }]);
    const files = documents.pop()?.state as QuotaState | null | undefined;
    const usage: Record<string, number> = {};
    for (const [index, resource] of LIMITED_RESOURCES.entries()) {
      const state = documents[index]?.state as QuotaState | null | undefined;
      const { count, bytes } = state ? usageOf(state) : { count: 0, bytes: 0 };
      usage[resource] = count;
      if (isWeighed(resource)) usage[`${resource}_bytes`] = bytes;
    }
    usage.creative_files_bytes = files ? usageOf(files).bytes : 0;
    return usage;
  };
  return { live: await of(false), sandbox: await of(true) };
}

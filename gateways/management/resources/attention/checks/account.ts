import { account } from '#actors/account/account';
import type { AccountState } from '#actors/account/reduce';
import { webhook } from '#actors/webhook/webhook';
import { usageOfAccount } from '#gateways/management/quotas/usage';
import { showAccount } from '../../accounts/account.ts';
import { type AttentionCheck, type AttentionItem, MAX_SOURCES_CHECKED } from '../attention-item.ts';

const NEARLY = 0.9;

/** Finds webhooks that are disabled, and quotas that are nearly used up. */
export const checkAccount: AttentionCheck = async ({ parts, caller }) => {
  const { accountId, partnerId, sandbox } = caller;
  const found: AttentionItem[] = [];
  const { documents } = await parts.store.query(webhook.kind, {
    where: { accountId, sandbox, status: 'disabled', ...(partnerId === null ? {} : { partnerId }) },
    limit: MAX_SOURCES_CHECKED,
  });
  for (const { id, state } of documents) {
    const { url, disabledAt, disabledReason } = state as { url: string; disabledAt: string; disabledReason: string };
    found.push({
      kind: 'webhook-disabled',
      severity: 'warning',
      subject: { type: 'webhook', id, name: url },
      since: disabledAt,
      message: `Events are not sent to ${url} any more: ${disabledReason}`,
      remedy: 'Mend the receiver, then enable the webhook again.',
    });
  }
  if (partnerId !== null) return found;
  const [document] = await parts.store.load([{ kind: account.kind, id: accountId }]);
  if (!document || document.deleted) return found;
  const environment = sandbox ? 'sandbox' : 'live';
  const limits = showAccount(accountId, document.state as AccountState).limits[environment] as Record<string, number>;
  const usage = (await usageOfAccount(parts, accountId))[environment] as Record<string, number>;
  for (const [name, limit] of Object.entries(limits)) {
    const used = usage[name] ?? 0;
    if (limit === 0 || used < limit * NEARLY) continue;
    found.push({
      kind: 'quota-nearly-reached',
      severity: used >= limit ? 'warning' : 'notice',
      subject: null,
      since: null,
      message: `The account has ${used} of at most ${limit} ${name.replaceAll('_', ' ')}.`,
      remedy: 'Remove what is not needed, or ask the operator of the exchange to raise the limit.',
    });
  }
  return found;
};

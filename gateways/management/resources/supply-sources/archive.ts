import { publisher } from '#actors/publisher/publisher';
import { releaseQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { loadSupplySource, SupplySource, SupplySourceParams, showSupplySource } from './supply-source.ts';

export const archiveSupplySource = defineRoute({
  method: 'DELETE',
  path: '/api/supply/sources/:id',
  tag: 'Supply',
  operationId: 'archiveSupplySource',
  summary: 'Archive a supply source for good: it gets no more traffic',
  description: 'It stays readable, with its reports and statements. Its name is free again.',
  access: 'account',
  revised: true,
  params: SupplySourceParams,
  answer: { status: 200, schema: SupplySource },
  async handle({ params: { id }, caller, identity, expecting, revision, parts }) {
    await loadSupplySource(parts, id, caller);
    const archived = await parts.messenger.ask(
      publisher,
      id,
      'archive',
      { scope: caller.scope, ...(expecting && { expecting }) },
      { requestId: identity.askId() },
    );
    const { accountId, sandbox } = archived;
    await releaseQuota(parts, { accountId, sandbox, resource: 'supply_sources', id }, { archived: true });
    revision(archived.revision);
    return showSupplySource(id, archived);
  },
});

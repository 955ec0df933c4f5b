import { dsp } from '#actors/dsp/dsp';
import { closeDelegate } from '../../changes/close-delegate.ts';
import { releaseDelegate } from '../../quotas/delegate-holdings.ts';
import { releaseQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { DemandSource, DemandSourceParams, loadDemandSource, showDemandSource } from './demand-source.ts';

export const archiveDemandSource = defineRoute({
  method: 'DELETE',
  path: '/api/demand/sources/:id',
  tag: 'Demand',
  operationId: 'archiveDemandSource',
  summary: 'Archive a demand source for good: it is asked for no more bids',
  description:
    'It stays readable, with its reports and statements. Its name is free again, and its campaigns are retired: neither they nor its strategy count in the limits of the account any more.',
  access: 'account',
  revised: true,
  params: DemandSourceParams,
  answer: { status: 200, schema: DemandSource },
  async handle({ params: { id }, caller, identity, expecting, revision, parts }) {
    await loadDemandSource(parts, id, caller);
    const archived = await parts.messenger.ask(
      dsp,
      id,
      'archive',
      { scope: caller.scope, ...(expecting && { expecting }) },
      { requestId: identity.askId() },
    );
    const { accountId, sandbox } = archived;
    await releaseQuota(parts, { accountId, sandbox, resource: 'demand_sources', id }, { archived: true });
    await closeDelegate(parts, id, archived);
    await releaseDelegate(parts, { accountId, id, sandbox });
    revision(archived.revision);
    return showDemandSource(id, archived);
  },
});

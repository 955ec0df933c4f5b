import Type from 'typebox';
import { isInScope } from '#actors/account/scope';
import { Uuid } from '#actors/api-schemas';
import { CampaignStatus } from '#actors/campaign/fields';
import type { CampaignState } from '#actors/campaign/reduce';
import { dsp } from '#actors/dsp/dsp';
import type { DspState } from '#actors/dsp/reduce';
import { utcDay } from '#actors/ledger/ledger-id';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import { namedLike, searching } from '../../lists/search.ts';
import { defineRoute } from '../../routing/route.ts';
import { paging } from '../fields.ts';
import { visibleSourcesWhere } from '../sources-where.ts';
import { ShownCampaign, showCampaignWith } from './campaign.ts';
import { loadFetchedCreatives } from './fetched-creatives.ts';
import { queryAll, statusConditions } from './status-conditions.ts';

export const listCampaigns = defineRoute({
  method: 'GET',
  path: '/api/campaigns',
  tag: 'Campaigns',
  operationId: 'listCampaigns',
  summary: 'List campaigns, oldest first',
  description:
    "The campaigns of the demand sources in the caller's context, or of one demand source; of every status unless one is asked for.",
  access: 'account',
  query: Type.Object({
    ...searching,
    dsp_id: Type.Optional(Uuid),
    status: Type.Optional(CampaignStatus),
    ...paging,
  }),
  answer: {
    status: 200,
    schema: Type.Object({ campaigns: Type.Array(ShownCampaign), total: Type.Integer(), page: Type.Integer() }),
  },
  async handle({ query: { q, dsp_id: dspId, status, page = 1, per_page: perPage = 50 }, caller, parts }) {
    const dsps = await visibleDsps(parts, caller, dspId);
    if (dsps.size === 0) return { campaigns: [], total: 0, page };
    const nowMs = parts.clock.now();
    const { documents, total } = await queryAll(
      parts.store,
      { accountId: caller.accountId, dspId: { in: [...dsps.keys()] }, ...namedLike(q, 'campaign.campaign_name') },
      statusConditions(status, utcDay(nowMs)),
      (page - 1) * perPage,
      perPage,
    );
    const states = documents.map(({ state }) => state as CampaignState);
    const fetched = await loadFetchedCreatives(
      parts,
      states.flatMap(({ campaign: document }) => document ?? []),
    );
    const campaigns = documents.map(({ id }, index) => {
      const state = states[index]!;
      return showCampaignWith(id, { state, dsp: dsps.get(state.dspId)! }, fetched, nowMs);
    });
    return { campaigns, total, page };
  },
});

/**
 * The demand sources that the caller sees, by id. A campaign's environment and partner are those of its demand source.
 */
async function visibleDsps(
  { store }: ManagementDeps,
  caller: Caller,
  dspId: string | undefined,
): Promise<ReadonlyMap<string, DspState>> {
  if (dspId === undefined) {
    const { documents } = await store.query(dsp.kind, { where: visibleSourcesWhere(caller) });
    return new Map(documents.map(({ id, state }) => [id, state as DspState]));
  }
  const [document] = await store.load([{ kind: dsp.kind, id: dspId }]);
  const isVisible = document && !document.deleted && isInScope(caller.scope, document.state as DspState);
  return new Map(isVisible ? [[dspId, document.state as DspState]] : []);
}

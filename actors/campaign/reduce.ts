import Type, { type Static } from 'typebox';
import { creativeUrls } from '../../exchange/creative/creative-urls.ts';
import { changeCampaign } from '../../exchange/strategy/change-campaign.ts';
import type { Campaign } from '../../exchange/strategy/document/campaign.ts';
import { campaignDocumentFaults } from '../../exchange/strategy/validate/campaign-document.ts';
import type { Context } from '../../runtime/actor/context.ts';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { Rejection, reject } from '../../runtime/actor/rejection.ts';
import { isInScope, notFound, type Scope } from '../account/scope.ts';
import { assetId } from '../asset/asset-id.ts';
import { parseBudgetId } from '../budget/budget-id.ts';
import { limitedSince } from '../budget/limited-since.ts';
import { initialState, stateProperties } from '../field-table.ts';
import { type ExpectedRevisions, revisionConflict, withNextRevision } from '../revision.ts';
import { campaignStateFields } from './fields.ts';
import { campaignMessages } from './messages.ts';

export const CampaignState = Type.Object(stateProperties(campaignStateFields));
export type CampaignState = Static<typeof CampaignState>;

export const noCampaign: CampaignState = initialState(campaignStateFields);

export const campaignHandlers = handlersOf(CampaignState, campaignMessages, {
  // A state of an older release is saved again as it is read now: with the ids of its assets.
  index: (state) => (state.campaign === null ? {} : { state: { ...state } }),
  install(state, body, context) {
    if (isOfApi(state)) return {};
    // A campaign that returns to its strategy keeps its state: paused by hand, it stays paused.
    return { state: change(state, { ...body, origin: 'strategy', retired: false }, context) };
  },
  retire(state, { strategyRevision }, context) {
    if (state.campaign === null || isOfApi(state) || state.retired) return {};
    return { state: change(state, { retired: true, strategyRevision }, context) };
  },
  close(state, _body, context) {
    if (state.campaign === null || state.retired) return {};
    return { state: change(state, { retired: true }, context) };
  },
  exhausted(state, { budget, day, revision, budgetId = state.exhaustedBudgetId }) {
    // The revision stays: nothing that the account has written changes.
    if (state.campaign === null || state.retired || revision !== state.revision) return {};
    const { exhaustedBudgetId: known } = state;
    if (budgetId !== undefined && known !== undefined && isBeforeReset(budgetId, known)) return {};
    const former = known === undefined || known === budgetId ? state : { ...state, ...NOT_EXHAUSTED };
    const isNews = budget === 'total' ? !former.totalExhausted : day > former.exhaustedDay;
    if (!isNews && budgetId === known) return {};
    const of = budgetId === undefined ? {} : { exhaustedBudgetId: budgetId };
    const spent = budget === 'total' ? { totalExhausted: true } : isNews ? { exhaustedDay: day } : {};
    return { state: { ...former, ...of, ...spent } };
  },
  'forget-exhausted'(state, { budgetId }) {
    if (state.exhaustedBudgetId === budgetId || (state.exhaustedDay === '' && !state.totalExhausted)) return {};
    return { state: { ...state, ...NOT_EXHAUSTED, exhaustedBudgetId: budgetId } };
  },
  renew(state, { day }) {
    if (state.exhaustedDay === '' || state.exhaustedDay >= day) return {};
    return { state: { ...state, exhaustedDay: '' } };
  },
  create(state, { accountId, dspId, campaign }, context) {
    if (state.campaign !== null && !state.retired) {
      return reject('CONFLICT', 'The demand source has a campaign of this campaign_id.');
    }
    const { document, pausedByHand } = withoutStatus(campaign);
    const created: CampaignState = {
      ...noCampaign,
      accountId,
      dspId,
      campaign: document,
      pausedByHand: pausedByHand ?? false,
      revision: state.revision,
      strategyRevision: state.strategyRevision,
    };
    return answer(change(created, {}, context));
  },
  update(state, body, context) {
    const campaign = changeable(state, body);
    if (campaign instanceof Rejection) return campaign;
    if (state.origin === 'strategy') return reject('CONFLICT', 'The campaign is part of a strategy: change it there.');
    const { changes, httpsOnly } = body;
    const { status, ...others } = changes;
    const next = changeCampaign(campaign, others);
    const checked = status === undefined || status === null ? next : { ...next, status };
    const [first, ...more] = campaignDocumentFaults(checked, { httpsOnly });
    if (first !== undefined) {
      const errors = [first, ...more].map(({ path, message: text }) => ({ field: path, message: text }));
      return reject('VALIDATION_ERROR', `${first.path} ${first.message}.`, { field: first.path, errors });
    }
    const { document, pausedByHand } = withoutStatus(checked as Campaign);
    return answer(change(state, { campaign: document, ...(pausedByHand === null ? {} : { pausedByHand }) }, context));
  },
  pause(state, body, context) {
    const campaign = changeable(state, body);
    if (campaign instanceof Rejection) return campaign;
    return state.pausedByHand ? { reply: state } : answer(change(state, { pausedByHand: true }, context));
  },
  reactivate(state, body, context) {
    const campaign = changeable(state, body);
    if (campaign instanceof Rejection) return campaign;
    if (campaign.status === 'paused') {
      return reject('CONFLICT', 'The strategy says that the campaign is paused: change it there.');
    }
    return state.pausedByHand ? answer(change(state, { pausedByHand: false }, context)) : { reply: state };
  },
});

const NOT_EXHAUSTED = { exhaustedDay: '', totalExhausted: false } as const;

/** Whether a budget is of the sandbox as it was before the reset that made the other. */
function isBeforeReset(budgetId: string, other: string): boolean {
  const [one, later] = [parseBudgetId(budgetId), parseBudgetId(other)];
  return one.sandbox && later.sandbox && (one.sandboxGeneration ?? 0) < (later.sandboxGeneration ?? 0);
}

function isOfApi({ campaign, origin }: CampaignState): boolean {
  return campaign !== null && origin === 'api';
}

/** The document that an account may change; otherwise the reason why it may not. */
function changeable(
  state: CampaignState,
  { scope, expecting }: { readonly scope: Scope; readonly expecting?: ExpectedRevisions },
): Campaign | Rejection {
  const { accountId, campaign, retired } = state;
  if (!isInScope(scope, { accountId }) || campaign === null) return notFound('The campaign');
  const refusal = revisionConflict(state, expecting);
  if (refusal !== null) return refusal;
  return retired ? reject('CONFLICT', 'The campaign is retired: it bids no more.') : campaign;
}

function answer(state: CampaignState): Effects<CampaignState, CampaignState> {
  return { state, reply: state };
}

function change(state: CampaignState, changes: Partial<CampaignState>, context: Context): CampaignState {
  const next = withNextRevision({ ...state, ...changes }, context);
  const { daily_cents: daily = 0, total_cents: total = 0 } = next.campaign?.budget ?? {};
  const { daily_cents: dailyBefore = 0, total_cents: totalBefore = 0 } = state.campaign?.budget ?? {};
  return {
    ...next,
    limitedSinceMs: limitedSince(state, daily > 0 || total > 0, context.nowMs),
    exhaustedDay: daily === dailyBefore ? next.exhaustedDay : '',
    totalExhausted: total === totalBefore && next.totalExhausted,
    createdAt: next.createdAt || next.updatedAt,
    status: statusOf(next),
    assetIds: assetIdsOf(next),
  };
}

/** The ids of the campaign's assets, each once. */
export function assetIdsOf({ campaign }: Pick<CampaignState, 'campaign'>): string[] {
  return campaign === null ? [] : [...new Set(creativeUrls(campaign).map(({ url }) => assetId(url)))];
}

function statusOf({ campaign, retired, pausedByHand }: CampaignState): CampaignState['status'] {
  if (retired) return 'retired';
  return pausedByHand || campaign?.status === 'paused' ? 'paused' : 'active';
}

/** In the Campaign API the status is set by hand; it is no part of the document. */
function withoutStatus({ status, ...document }: Campaign): { document: Campaign; pausedByHand: boolean | null } {
  return { document, pausedByHand: status === undefined ? null : status === 'paused' };
}

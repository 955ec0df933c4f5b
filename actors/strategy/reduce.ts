import Type, { type Static } from 'typebox';
import { campaignsOfStrategy } from '../../exchange/strategy/bidding-campaign.ts';
import type { Strategy } from '../../exchange/strategy/document/strategy.ts';
import type { Send } from '../../runtime/actor/context.ts';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { campaignActorId } from '../campaign/campaign-id.ts';
import { revisionConflict, withNextRevision } from '../revision.ts';
import { strategyMessages } from './messages.ts';

export const StrategyState = Type.Object({
  /** '' while nothing was saved. */
  accountId: Type.String(),
  /** The document as JSON text, which a store writes fastest; no query reads fields of it. '' when none was saved. */
  json: Type.String(),
  /** True once the demand source is archived. */
  closed: Type.Optional(Type.Boolean()),
  revision: Type.Integer({ minimum: 0 }),
  /** ISO 8601, UTC. */
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type StrategyState = Static<typeof StrategyState>;

/** The answer to `save`, without the document, which the caller has. */
export interface SavedStrategy {
  readonly revision: number;
  /** The ids of the campaign actors that got a message. */
  readonly told: readonly string[];
}

export const noStrategy: StrategyState = {
  accountId: '',
  json: '',
  revision: 0,
  createdAt: '',
  updatedAt: '',
};

export const strategyHandlers = handlersOf(StrategyState, strategyMessages, {
  save(state, { accountId, strategy, expecting }, context): Effects<StrategyState, SavedStrategy> | Rejection {
    const refusal = revisionConflict(state, expecting);
    if (refusal !== null) return refusal;
    if (state.closed) return reject('CONFLICT', 'The demand source is archived.');
    const json = JSON.stringify(strategy);
    if (state.json === json) return { reply: { revision: state.revision, told: [] } };
    const saved = withNextRevision({ ...state, accountId, json }, context);
    const next = { ...saved, createdAt: saved.createdAt || saved.updatedAt };
    const sends = campaignUpdates(parseSavedStrategy(state), next, strategy, context.id);
    const updates = sends.map(({ to }) => to.slice(to.indexOf('/') + 1));
    return { state: next, reply: { revision: next.revision, told: updates }, sends };
  },
  revert(state, { revision, before }, context): Effects<StrategyState, null> {
    if (state.revision !== revision) return { reply: null };
    const next = withNextRevision({ ...state, json: before === null ? '' : JSON.stringify(before) }, context);
    return { state: next, reply: null, sends: campaignUpdates(parseSavedStrategy(state), next, before, context.id) };
  },
  close(state, _body, context): Effects<StrategyState, null> {
    if (state.closed) return { reply: null };
    const sends = (parseSavedStrategy(state)?.campaigns ?? []).map((of) => ({
      to: addressOf(context.id, of.campaign_id),
      type: 'close',
      body: {},
    }));
    return { state: withNextRevision({ ...state, closed: true }, context), reply: null, sends };
  },
});

/** The saved document; null when none was saved. */
export function parseSavedStrategy({ json }: StrategyState): Strategy | null {
  return json === '' ? null : JSON.parse(json);
}

/** The messages to the campaign actors: each gets its own part of the document when that part has changed. */
function campaignUpdates(before: Strategy | null, saved: StrategyState, after: Strategy | null, dspId: string): Send[] {
  const { accountId, revision: strategyRevision } = saved;
  const parts = new Map((before === null ? [] : campaignsOfStrategy(before)).map((part) => [idOf(part), part]));
  const sends: Send[] = [];
  for (const part of after === null ? [] : campaignsOfStrategy(after)) {
    const old = parts.get(idOf(part));
    parts.delete(idOf(part));
    if (isSame(old, part)) continue;
    const { campaign, rules, defaultBidCpm } = part;
    const body = { accountId, dspId, campaign, rules, defaultBidCpm, strategyRevision };
    sends.push({ to: addressOf(dspId, idOf(part)), type: 'install', body });
  }
  for (const campaignId of parts.keys()) {
    sends.push({ to: addressOf(dspId, campaignId), type: 'retire', body: { strategyRevision } });
  }
  return sends;
}

function idOf({ campaign }: { readonly campaign: { readonly campaign_id: string } }): string {
  return campaign.campaign_id;
}

function addressOf(dspId: string, campaignId: string): string {
  return `campaign/${campaignActorId(dspId, campaignId)}`;
}

/** Compares as text: a message to a campaign with the same fields in another order does no harm. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

import Type from 'typebox';
import { Campaign } from '../../exchange/strategy/document/campaign.ts';
import { Rule } from '../../exchange/strategy/document/rule.ts';
import { Scope } from '../account/scope.ts';
import { ExpectedRevisions } from '../revision.ts';

const owner = {
  accountId: Type.String({ minLength: 1 }),
  /** The delegate that bids with the campaign. */
  dspId: Type.String({ minLength: 1 }),
};

/** The part of a strategy about one of its campaigns. */
const Installation = Type.Object({
  ...owner,
  campaign: Campaign,
  rules: Type.Array(Rule),
  defaultBidCpm: Type.Number({ minimum: 0 }),
  /** The revision of the strategy. */
  strategyRevision: Type.Integer({ minimum: 1 }),
});

/**
 * Scopes name the account alone: the partner and environment are those of the demand source, which the caller looks up.
 */
export const campaignMessages = {
  /** From the Campaign API. Answers the state; CONFLICT for a campaign of the same name. */
  create: Type.Object({ ...owner, campaign: Campaign }),
  /**
   * `changes` as `changeCampaign` takes them, `status` included. Answers the state. VALIDATION_ERROR with `field` and
   * `errors` when the result is no valid campaign; CONFLICT for a campaign of a strategy, and for a retired one.
   */
  update: Type.Object({
    scope: Scope,
    changes: Type.Record(Type.String(), Type.Unknown()),
    httpsOnly: Type.Boolean(),
    expecting: ExpectedRevisions,
  }),
  /**
   * Pauses by hand: the campaign stays paused until it is reactivated by hand. Answers the state, also when it was
   * paused before.
   */
  pause: Type.Object({ scope: Scope, expecting: ExpectedRevisions }),
  /**
   * Answers the state, also when it was active before. CONFLICT while its strategy says that it is paused, and when it
   * is retired.
   */
  reactivate: Type.Object({ scope: Scope, expecting: ExpectedRevisions }),
  /** From the strategy of its demand source. A campaign of the Campaign API stays what it is. */
  install: Installation,
  /**
   * A budget of the campaign is spent: the rest pays for no bid (of the daily budget, 95% is bid). From an edge; `day`
   * is the edge's UTC day, `revision` the campaign's that the edge goes by, `budgetId` the budget (absent from edges of
   * older releases). The message changes nothing when it is of another revision, of a sandbox that was reset since, or
   * a repetition. The campaign then shows as paused, for the day or until its total budget changes (pause-reason.ts);
   * edges go by their leases, not by this. Answers nothing.
   */
  exhausted: Type.Object({
    budget: Type.Enum(['daily', 'total']),
    day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    revision: Type.Integer({ minimum: 1 }),
    budgetId: Type.Optional(Type.String()),
  }),
  /**
   * The campaign's budget is `budgetId` now, as its demand source has moved to another environment or its sandbox was
   * reset: forgets that a former budget is spent. Answers nothing.
   */
  'forget-exhausted': Type.Object({ budgetId: Type.String() }),
  /**
   * `day` (UTC, `yyyy-mm-dd`) has begun: forgets that the daily budget of an earlier day is spent. The message is for
   * the campaigns whose `exhaustedDay` (indexed; '' for none) is `{ gte: '0', lt: day }`. Nothing depends on when it
   * comes, or how often. Answers nothing.
   */
  renew: Type.Object({ day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }) }),
  /** Saves the state again, unchanged, for states from before campaigns named their assets. Answers nothing. */
  index: Type.Object({}),
  /**
   * Its demand source is archived for good: the campaign bids no more, whether it is of a strategy or of the Campaign
   * API. Answers nothing.
   */
  close: Type.Object({}),
  /** From a strategy that does not contain it any more. A campaign of the Campaign API stays what it is. */
  retire: Type.Object({ strategyRevision: Type.Integer({ minimum: 1 }) }),
};

import Type from 'typebox';
import { Campaign } from '../../exchange/strategy/document/campaign.ts';
import { Rule } from '../../exchange/strategy/document/rule.ts';
import { Scope } from '../account/scope.ts';
import { ExpectedRevisions } from '../revision.ts';

const owner = {
  accountId: Type.String({ minLength: 1 }),
  /** The delegate that bids with it. */
  dspId: Type.String({ minLength: 1 }),
};

/** What a strategy says of one of its campaigns. */
const Installation = Type.Object({
  ...owner,
  campaign: Campaign,
  rules: Type.Array(Rule),
  defaultBidCpm: Type.Number({ minimum: 0 }),
  /** Of the strategy that says so. */
  strategyRevision: Type.Integer({ minimum: 1 }),
});

/** Scopes are of the account alone: partner and environment are those of the demand source, which whoever asks looks up. */
export const campaignMessages = {
  /** By the Campaign API. Answers the state; a campaign of the same name: CONFLICT. */
  create: Type.Object({ ...owner, campaign: Campaign }),
  /**
   * `changes` as `changeCampaign` takes them, `status` among them. Answers the state. VALIDATION_ERROR with `field` and
   * `errors` when what comes out is no campaign; CONFLICT for a campaign of a strategy, and a retired one.
   */
  update: Type.Object({
    scope: Scope,
    changes: Type.Record(Type.String(), Type.Unknown()),
    httpsOnly: Type.Boolean(),
    expecting: ExpectedRevisions,
  }),
  /** By hand: stays until it is set going by hand. Answers the state, again when paused before. */
  pause: Type.Object({ scope: Scope, expecting: ExpectedRevisions }),
  /** Answers the state, again when active. CONFLICT while its strategy says that it is paused, and when retired. */
  reactivate: Type.Object({ scope: Scope, expecting: ExpectedRevisions }),
  /** By the strategy of its demand source. A campaign of the Campaign API stays what it is. */
  install: Installation,
  /**
   * A budget of the campaign is spent: what is left of it pays for no bid (of the daily one, 95 per cent). From an edge; `day` is the
   * edge's UTC day, `revision` the campaign's that the edge goes by. Of another revision, and said again, it changes nothing. The
   * campaign then shows as paused, for the day or until its total is another (paused-by.ts); edges go by their leases, not by this.
   * Answers nothing.
   */
  exhausted: Type.Object({
    budget: Type.Enum(['daily', 'total']),
    day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    revision: Type.Integer({ minimum: 1 }),
  }),
  /**
   * `day` (UTC, `yyyy-mm-dd`) has begun: forgets that the daily budget of an earlier one is spent. Whom to send it to: the campaigns
   * whose `exhaustedDay` (indexed; '' for none) is `{ gte: '0', lt: day }`. Nothing hangs on when it comes, or how often. Answers nothing.
   */
  renew: Type.Object({ day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }) }),
  /** Saves again, unchanged, what was saved before campaigns named their assets. Answers nothing. */
  index: Type.Object({}),
  /** By a strategy that has it no more. A campaign of the Campaign API stays what it is. */
  retire: Type.Object({ strategyRevision: Type.Integer({ minimum: 1 }) }),
};

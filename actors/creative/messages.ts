import Type from 'typebox';
import { MediaFacts } from '../../exchange/creative/media-facts.ts';
import { ReviewScopeKind } from '../creative-policy/messages.ts';
import { Finding, ScanReport } from './scan.ts';

const Id = Type.String({ minLength: 1 });
const Count = Type.Integer({ minimum: 0 });

/** What the demand source says of its creatives. */
export const CreativesDeclared = Type.Enum(['auto', 'stable', 'dynamic']);
export const CreativeFormat = Type.Enum(['banner', 'video', 'audio', 'native']);

/** The largest markup that a creative keeps, in characters. Larger markup is shown as it comes, and not hosted. */
export const MAX_KEPT_MARKUP = 65_536;

/**
 * The most different values that one sighting tells of a creative's formats, sizes, domains, categories or attributes.
 */
const MOST_VALUES = 20;

export const creativeMessages = {
  /** What one edge saw of a creative since it last told. No answer. */
  seen: Type.Object({
    dspId: Id,
    /** Of the demand source. */
    accountId: Id,
    partnerId: Type.Union([Type.String(), Type.Null()]),
    sandbox: Type.Boolean(),
    /** The campaign that the creative belongs to; null for creatives of bidders. */
    campaignId: Type.Union([Type.String(), Type.Null()]),
    crid: Type.String(),
    /** '' where the markup differs from auction to auction. */
    fingerprint: Type.String(),
    declared: CreativesDeclared,
    /** The template; null where it is longer than a creative keeps, and where the edge knows the creative. */
    markup: Type.Union([Type.String({ maxLength: MAX_KEPT_MARKUP }), Type.Null()]),
    formats: Type.Array(CreativeFormat, { maxItems: 4 }),
    /** `300x250`. */
    sizes: Type.Array(Type.String(), { maxItems: MOST_VALUES }),
    advertiserDomains: Type.Array(Type.String(), { maxItems: MOST_VALUES }),
    categories: Type.Array(Type.String(), { maxItems: MOST_VALUES }),
    /** The taxonomy of the categories, as `cattax` numbers it. */
    categoryTaxonomy: Type.Integer(),
    attributes: Type.Array(Type.Integer(), { maxItems: MOST_VALUES }),
    publisherIds: Type.Array(Type.String(), { maxItems: MOST_VALUES }),
    /** Auctions whose template was looked at and was this creative's. */
    sightings: Count,
    wins: Count,
    /** Bids that lost because a publisher had not approved the creative, or had blocked it. */
    refusals: Count,
  }),
  /** Something was decided about the creative; see `creative-rule`. No answer. */
  decided: Type.Object({
    scope: ReviewScopeKind,
    scopeId: Type.String(),
    decision: Type.Enum(['none', 'block', 'approve']),
    reason: Type.String(),
  }),
  /** Claims the creative for one scan, for `forMs`. CONFLICT when none is due, and while another has claimed it. */
  claim: Type.Object({ forMs: Type.Integer({ minimum: 1 }) }),
  /** Stores what a scan found. Answers the state. */
  scanned: Type.Object({
    report: ScanReport,
    findings: Type.Array(Finding, { maxItems: 50 }),
    /** Facts of the files that the markup names. */
    media: Type.Array(MediaFacts, { maxItems: 50 }),
    /** The next scan is due after this time, ms. */
    againInMs: Type.Integer({ minimum: 1 }),
  }),
  /** The scan could not be finished, and is due again later. Answers the state. */
  'scan-failed': Type.Object({ reason: Type.String(), againInMs: Type.Integer({ minimum: 1 }) }),
  /** The creative is hosted: edges serve `file` in place of its markup. Answers the state. */
  hosted: Type.Object({
    /** SHA-256 of the hosted markup, which is a file among the creatives' (see hosted-markup.ts). */
    file: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    /** SHA-256 of the files that the hosted markup refers to. */
    files: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }), { maxItems: 100 }),
  }),
  /** The creative cannot be hosted: its markup is served as it comes. Answers the state. */
  'not-hosted': Type.Object({ reason: Type.String() }),
  /** Somebody reports the creative to the operators. NOT_FOUND for a creative that is not there. Answers the state. */
  report: Type.Object({ by: Id, reason: Type.String(), comment: Type.String() }),
  /**
   * Forgets the creative. CONFLICT when it was seen again after `unseenSince` (ISO 8601, UTC), or a decision names it.
   */
  forget: Type.Object({ unseenSince: Type.String() }),
};

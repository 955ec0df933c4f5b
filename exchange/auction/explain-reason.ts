import { BLOCK_REASONS, type BlockReason } from '../fraud/block-reason.ts';
import { LOSS_REASONS, type LossReason, NO_BID_REASONS, type NoBidReason } from './loss-reason.ts';

/** Why a bid lost, in words for people; each entry completes "The bid …". */
const LOSSES: Readonly<Record<LossReason, string>> = {
  'malformed-bid': 'could not be read as a bid',
  'unknown-imp': 'names no imp of the request',
  'duplicate-bid': 'came twice under the same id',
  'invalid-price': 'names no price that can be paid',
  'wrong-currency': 'is in a currency without a rate',
  'seat-not-allowed': 'was made for a seat that the request does not allow',
  'unknown-deal': 'names a deal that the imp does not offer',
  'deal-required': 'names no deal, and the imp is sold by deals alone',
  'deal-seat-not-allowed': 'was made for a seat that the deal does not allow',
  'deal-advertiser-not-allowed': 'is for an advertiser that the deal does not allow',
  'missing-markup': 'brought no markup',
  'format-not-offered': 'is of a format that the imp does not offer',
  'size-not-allowed': 'is of a size that the imp does not take',
  'duration-not-allowed': 'is of a length that the imp does not take',
  'position-not-offered': 'wants a place in the pod that the imp does not promise',
  'mraid-not-offered': 'needs MRAID, which only a banner runs whose api has 5 or 6, and no television',
  'insecure-creative': 'loads something over plain HTTP where the imp must be secure',
  'blocked-advertiser': 'is for an advertiser that the publisher blocks',
  'blocked-category': 'is of a category that the publisher or the exchange blocks',
  'blocked-app': 'is for an app that the publisher blocks',
  'blocked-attribute': 'has a creative attribute that the imp or the exchange does not take',
  'vast-not-taken': 'brought VAST that the player has said it does not take',
  'creative-rejected': 'brought a creative that the exchange could not sell',
  'creative-blocked': 'brought a creative that was blocked by the publisher or above it',
  'creative-not-approved': 'brought a creative that the publisher takes only after a review or a clean scan',
  'frequency-cap-reached': 'came too late for the last impression that its frequency cap allows the device',
  'out-of-budget': 'came when its budget could not pay for another impression',
  'publisher-share': 'came while the publisher held its share of the budget with ads that it had not rendered',
  'below-floor': 'was below the floor',
  'below-deal-floor': 'was below the floor of its deal',
  'lost-to-higher-bid': 'was outbid',
  'competitive-separation': 'may not stand beside another ad of the same break',
  'auction-expired': 'had won when the auction had taken too long to be answered',
  'group-not-won': 'belongs to a group that wins all or nothing, of which another bid lost',
};

/** Why there is no bid, in words for people; each entry completes "The demand source …". */
const NO_BIDS: Readonly<Record<NoBidReason, string>> = {
  'no-bid': 'answered that it does not bid',
  timeout: 'did not answer in time',
  unreachable: 'could not be reached',
  'tls-failed': 'could not be reached over TLS: its certificate, ours, or the handshake was refused',
  'http-error': 'answered with an HTTP error',
  'response-too-large': 'answered with more than is read',
  'malformed-response': 'answered with what is no bid response',
  'wrong-request-id': 'answered another request',
  'circuit-open': 'was not asked: its circuit breaker was open after too many failures',
  'qps-limit': 'was not asked: its limit of requests a second was reached',
  'backing-off': 'was not asked: too many of its last answers were late, or refused for load',
  'concurrency-limit': 'was not asked: too many requests to it were under way',
  'budget-exhausted': 'does not bid: its budget, or its campaigns’, is spent',
  'insufficient-time': 'was not asked: too little time was left, or the edge was held up until none was',
  'unsupported-format': 'was not asked: it does not take the format',
  'unsupported-channel': 'was not asked: it does not take the channel',
  'unsupported-currency': 'was not asked: the request takes bids in no currency that is traded here',
  'no-match': 'has no campaign that matched',
  pacing: 'has campaigns that matched, which their budgets or paces kept back',
  'frequency-cap': 'has campaigns that matched, whose frequency caps the device had reached',
  'creative-unavailable': 'has campaigns that matched, of which none had a creative to show',
  privacy: 'was not asked: the viewer’s choices forbid it',
};

/** Why a request was not filled, where no demand source is the cause. */
const OTHER_REASONS = {
  'no-pool': 'The publisher is in no pool, so that nobody is asked for bids.',
  'no-demand': 'No demand source takes the traffic of the publisher’s pool.',
  'invalid-request': 'The request is no bid request that can be read.',
} as const;

/** All reasons that an auction record may name. */
export const REASONS: readonly string[] = [LOSSES, NO_BIDS, BLOCK_REASONS, OTHER_REASONS].flatMap((words) =>
  Object.keys(words),
);

export interface ReasonExplained {
  readonly words: string;
  /** The code of `${AUCTION_LOSS}`; null where no bid was lost. */
  readonly lossCode: number | null;
  /** The IAB's seat-non-bid status; null where no seat is the cause. */
  readonly nonBidStatus: number | null;
}

/** Explains why a bid lost. `detail` is the cause, as in `BidVerdict`. */
export function explainLoss(reason: LossReason, detail: string | null = null): ReasonExplained {
  const { loss, status } = LOSS_REASONS[reason];
  const blamed = detail === null ? '' : `: ${detail}`;
  return { words: `The bid ${LOSSES[reason]}${blamed}.`, lossCode: loss, nonBidStatus: status };
}

/** Explains why a demand source has no bid. */
export function explainNoBid(reason: NoBidReason): ReasonExplained {
  const { loss, status } = NO_BID_REASONS[reason];
  return { words: `The demand source ${NO_BIDS[reason]}.`, lossCode: loss, nonBidStatus: status };
}

/** Explains a reason of any kind. A reason that is not known, from another version, is explained by its own name. */
export function explainReason(reason: string): ReasonExplained {
  if (Object.hasOwn(LOSSES, reason)) return explainLoss(reason as LossReason);
  if (Object.hasOwn(NO_BIDS, reason)) return explainNoBid(reason as NoBidReason);
  const words = { ...BLOCK_REASONS, ...OTHER_REASONS }[reason as BlockReason | keyof typeof OTHER_REASONS];
  return { words: words ?? reason, lossCode: null, nonBidStatus: null };
}

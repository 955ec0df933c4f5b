/**
 * Why a bid did not win, and why a demand source has no bid: each has exactly one reason, and none goes without.
 *
 * Each reason carries two codes. `loss` is the loss reason code of `${AUCTION_LOSS}` (OpenRTB 2.5 List 5.25; 2.6 points
 * to the same list in OpenRTB 3.0). `status` is the non-bid status code of the IAB's seat-non-bid extension.
 */

export interface ReasonCodes {
  /** Null where there was no bid to lose: the code 0 of the list means a bid that won. */
  readonly loss: number | null;
  readonly status: number;
}

/** Reasons for a bid that was received and did not win. */
export const LOSS_REASONS = {
  'malformed-bid': { loss: 3, status: 102 },
  'unknown-imp': { loss: 3, status: 102 },
  'duplicate-bid': { loss: 3, status: 302 },
  'invalid-price': { loss: 3, status: 300 },
  'wrong-currency': { loss: 3, status: 300 },
  'seat-not-allowed': { loss: 104, status: 300 },
  'unknown-deal': { loss: 4, status: 300 },
  'deal-required': { loss: 4, status: 300 },
  'deal-seat-not-allowed': { loss: 104, status: 300 },
  'deal-advertiser-not-allowed': { loss: 213, status: 350 },
  'missing-markup': { loss: 7, status: 350 },
  'format-not-offered': { loss: 204, status: 353 },
  'size-not-allowed': { loss: 203, status: 351 },
  /**
   * The bid's duration, or that of its VAST, is not allowed by the imp; or it is unknown in a pod's dynamic portion, or
   * where each second has its price and no length is the longest.
   */
  'duration-not-allowed': { loss: 200, status: 350 },
  /** The bid wants a place in the pod (`slotinpod`) that the imp does not promise. */
  'position-not-offered': { loss: 200, status: 350 },
  /** The bid needs an MRAID container, which the imp does not offer. */
  'mraid-not-offered': { loss: 204, status: 353 },
  'insecure-creative': { loss: 207, status: 352 },
  'blocked-advertiser': { loss: 205, status: 356 },
  'blocked-category': { loss: 209, status: 357 },
  'blocked-app': { loss: 206, status: 356 },
  'blocked-attribute': { loss: 210, status: 350 },
  /** The VAST is of a version, or in the form of a wrapper, that the player has said it does not take. */
  'vast-not-taken': { loss: 204, status: 353 },
  /**
   * The exchange's own creative checks refused the markup (an unreadable VAST document, VPAID, a native ad without an
   * asset).
   */
  'creative-rejected': { loss: 202, status: 350 },
  /** Somebody has blocked the creative, its markup, advertiser, category, attribute or demand source. */
  'creative-blocked': { loss: 202, status: 350 },
  /** The publisher takes only creatives that were approved, or that a scan has found nothing against. */
  'creative-not-approved': { loss: 201, status: 350 },
  /** Another auction took the last impression that the campaign allows the device. */
  'frequency-cap-reached': { loss: 200, status: 350 },
  /**
   * The remaining budget of the demand source or the campaign no longer covers the price: other auctions took it
   * meanwhile.
   */
  'out-of-budget': { loss: 104, status: 300 },
  /** What the publisher was sold and has not rendered already takes up its share of the budget. */
  'publisher-share': { loss: 104, status: 300 },
  'below-floor': { loss: 100, status: 301 },
  'below-deal-floor': { loss: 101, status: 304 },
  'lost-to-higher-bid': { loss: 102, status: 300 },
  /**
   * The bid must be kept apart from an ad of the same break that pays more: it is a competitor's ad, or the same ad
   * again.
   */
  'competitive-separation': { loss: 205, status: 300 },
  /** The auction took too long, and its caller got no answer. */
  'auction-expired': { loss: 2, status: 100 },
  /** Another bid of its all-or-nothing group (`seatbid.group`) lost. */
  'group-not-won': { loss: 102, status: 300 },
} as const satisfies Record<string, ReasonCodes & { readonly loss: number }>;

export type LossReason = keyof typeof LOSS_REASONS;

/** Reasons for a demand source that was not called, or whose answer holds no bid. */
export const NO_BID_REASONS = {
  'no-bid': { loss: null, status: 0 },
  timeout: { loss: null, status: 101 },
  unreachable: { loss: null, status: 103 },
  /** No connection over TLS: its certificate, ours, or the handshake. */
  'tls-failed': { loss: null, status: 103 },
  'http-error': { loss: null, status: 100 },
  'response-too-large': { loss: null, status: 102 },
  'malformed-response': { loss: 3, status: 102 },
  'wrong-request-id': { loss: 5, status: 102 },
  'circuit-open': { loss: null, status: 200 },
  'qps-limit': { loss: null, status: 200 },
  /** Too many of its last calls timed out or were refused for load. */
  'backing-off': { loss: null, status: 200 },
  'concurrency-limit': { loss: null, status: 200 },
  'budget-exhausted': { loss: null, status: 200 },
  'insufficient-time': { loss: null, status: 15 },
  'unsupported-format': { loss: null, status: 202 },
  'unsupported-channel': { loss: null, status: 201 },
  'unsupported-currency': { loss: null, status: 205 },
  /** No campaign of a delegate matched. */
  'no-match': { loss: null, status: 0 },
  /**
   * Campaigns of a delegate matched, but did not bid because of their budgets, the device's frequency caps or missing
   * creatives.
   */
  pacing: { loss: null, status: 200 },
  'frequency-cap': { loss: null, status: 200 },
  'creative-unavailable': { loss: null, status: 200 },
  privacy: { loss: null, status: 204 },
} as const satisfies Record<string, ReasonCodes>;

export type NoBidReason = keyof typeof NO_BID_REASONS;

/** The value of `${AUCTION_LOSS}` in a losing bid's `lurl`. */
export function lossCode(reason: LossReason): number {
  return LOSS_REASONS[reason].loss;
}

/** The non-bid status code of a loss reason or a no-bid reason. */
export function nonBidStatus(reason: LossReason | NoBidReason): number {
  return reason in LOSS_REASONS
    ? LOSS_REASONS[reason as LossReason].status
    : NO_BID_REASONS[reason as NoBidReason].status;
}

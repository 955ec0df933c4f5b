import type { Win } from '../../exchange/auction/auction.ts';
import type { LossReason } from '../../exchange/auction/loss-reason.ts';
import { type Rejection, rejectedFor } from '../../exchange/auction/rejection.ts';
import type { Bid } from '../../exchange/openrtb/bid-response.ts';

/**
 * Rounds that one bidder may lose in one auction; each lost round costs a whole new evaluation. A bidder that reaches
 * the bound has all its bids rejected; those for one imp, where its ads are only not what that imp takes; and those
 * whose markup is still to be fetched, where its win notices brought none, or none that wins. Many winners of a pod can
 * fail in one round.
 */
const MOST_ROUNDS_LOST = 5;
const NOT_TAKEN: ReadonlySet<LossReason> = new Set(['duration-not-allowed', 'format-not-offered', 'vast-not-taken']);
const NOT_PAID: ReadonlySet<LossReason> = new Set(['out-of-budget', 'publisher-share']);
const AFTER_OTHERS = rejectedFor('creative-rejected', 'too many other bids of the bidder could not be sold');

/** What loses a bidder's rounds, and the bids that are rejected after too many of them. */
export interface LosingBids {
  /** The same for all that count together. */
  readonly key: string;
  readonly dspId: string;
  readonly rejection: Rejection;
  includes(bid: Bid): boolean;
}

/**
 * What a winner that cannot be sold counts for. Null for a campaign that cannot pay or whose cap is reached, which is
 * no fault of its DSP's other bids.
 */
export function losingBidsOf(
  { dspId, impId, bid }: Win,
  { reason }: Rejection,
  isOfCampaign: boolean,
): LosingBids | null {
  const all = { key: dspId, dspId, rejection: AFTER_OTHERS, includes: () => true };
  const isPaid = !NOT_PAID.has(reason);
  if (isOfCampaign) return isPaid && reason !== 'frequency-cap-reached' ? all : null;
  if (!isPaid) return { ...all, key: `${dspId} ${reason}`, rejection: rejectedFor(reason) };
  if (NOT_TAKEN.has(reason)) return { ...all, key: `${dspId} imp ${impId}`, includes: ({ impid }) => impid === impId };
  return hasMarkup(bid) ? all : unfetchedOf(dspId);
}

/** The bids of a bidder whose markup is still to be fetched. */
export function unfetchedOf(dspId: string): LosingBids {
  return { key: `${dspId} unfetched`, dspId, rejection: AFTER_OTHERS, includes: (bid) => !hasMarkup(bid) };
}

/** Whether a bid brought its markup. A bid without it may bring it in the answer to its win notice. */
export function hasMarkup({ adm }: Bid): boolean {
  return adm !== undefined && adm.trim() !== '';
}

/** The rounds that bidders have lost in one auction. */
export class LostRounds {
  readonly #rounds = new Map<string, number>();

  /** Counts one round, once for each key. Returns what has lost too many by now. */
  count(lost: readonly LosingBids[]): LosingBids[] {
    const byKey = new Map(lost.map((bids) => [bids.key, bids]));
    return [...byKey.values()].filter(({ key }) => {
      const rounds = (this.#rounds.get(key) ?? 0) + 1;
      this.#rounds.set(key, rounds);
      return rounds >= MOST_ROUNDS_LOST;
    });
  }
}

import type { Loss } from '../../exchange/auction/auction.ts';
import type { NoBidReason } from '../../exchange/auction/loss-reason.ts';
import { isOfUnknownTaxonomy } from '../../exchange/auction/prohibited.ts';
import { MAX_NOTICE_URL, substituteMacros } from '../../exchange/openrtb/macros.ts';
import type { AuctionContext } from '../auction-context.ts';
import type { BidderOffer, DemandParticipation } from '../demand-part.ts';
import type { DspFacts, PublisherFacts } from '../facts/counters.ts';
import type { Facts } from '../facts/facts.ts';
import type { AuctionDeps } from './auction-deps.ts';
import type { AuctionResult, HeldAuction } from './held-auction.ts';
import { lossMacroValues } from './notice-values.ts';
import { isInTestMode } from './test-mode.ts';

type RecordingDeps = Pick<
  AuctionDeps,
  'wins' | 'facts' | 'bidders' | 'auctionCreatives' | 'auctionTook' | 'notices' | 'recorder' | 'clock' | 'logger'
>;

/**
 * Accounts for an auction after its answer: feeds, facts, loss notices and the auction record. `expired`: the caller
 * got no answer. An auction in test mode is in no feed and no figure. Never throws.
 */
export function recordAuction(
  { wins, facts, bidders, auctionCreatives, auctionTook, notices, recorder, clock, logger }: RecordingDeps,
  context: AuctionContext,
  offers: readonly BidderOffer[],
  held: HeldAuction,
  tookMs: number,
  expired: boolean,
): void {
  try {
    auctionTook?.(tookMs, context.sandbox);
    if (!isInTestMode(context)) {
      wins.add(held.result.sold, context);
      countAuction(facts, context, held, tookMs);
    }
    auctionCreatives.record(context, offers, held);
    const nowMs = clock.now();
    for (const { dspId, bids } of offers) if (bids.length > 0) bidders.get(dspId)?.recordBid(nowMs);
    const failed: unknown[] = [];
    for (const loss of held.result.losses) {
      try {
        sendLossNotice({ bidders, notices }, context.request.id, offers, loss);
      } catch (err) {
        failed.push(err);
      }
    }
    if (failed.length > 0) logger.error({ err: failed[0], auctionId: context.request.id }, 'loss notices failed');
    recorder.recordAuction(context, held, tookMs, expired);
  } catch (err) {
    // No caller awaits this: an error thrown from here would end the process.
    logger.error({ err, auctionId: context.request.id }, 'an auction could not be recorded');
  }
}

/** A failing notice costs no other: bidders state what it is made of. */
function sendLossNotice(
  { bidders, notices }: Pick<RecordingDeps, 'bidders' | 'notices'>,
  requestId: string,
  offers: readonly BidderOffer[],
  loss: Loss,
): void {
  const lurl = loss.offered?.bid.lurl;
  if (lurl === undefined) return;
  const offer = offers.find(({ dspId }) => dspId === loss.dspId)!;
  const url = substituteMacros(lurl, lossMacroValues(requestId, loss, offer), MAX_NOTICE_URL);
  notices.send('loss', url, loss.dspId, bidders.get(loss.dspId)?.dsp.lossNoticeMethod ?? 'POST');
}

/** Counts one auction that was held: for its publisher, and for every DSP that took part or could have. */
function countAuction(
  facts: Facts,
  context: AuctionContext,
  { replies, delegates, result }: HeldAuction,
  latencyMs: number,
): void {
  const { sandbox } = context;
  const publisher = facts.publisher(context.publisher.id, sandbox);
  publisher.auctions += 1;
  publisher.imps += context.request.imp.length;
  publisher.filledImps += filledImps(result);
  publisher.latency.record(latencyMs);
  for (const reason of context.privacy.reasons) publisher.privacy.add(reason);
  if (delegates.unmatched !== null) {
    facts.evaluations(delegates.unmatched.delegateIds, sandbox).add(delegates.participations);
  }
  for (const part of delegates.participations) countPart(facts.dsp(part.dsp.id, sandbox), part, publisher);
  for (const part of replies) countPart(facts.dsp(part.dsp.id, sandbox), part, publisher);
  for (const [{ crid }, { campaign }] of delegates.creatives) {
    const counted = facts.campaign(campaign.id, campaign.dspId, sandbox);
    counted.bids += 1;
    if (crid) counted.bidCountsByCreative.bid(crid);
  }
  for (const { dspId, reason } of result.losses) facts.dsp(dspId, sandbox).losses.add(reason);
  for (const { win, sale } of result.sold) {
    const dsp = facts.dsp(win.dspId, sandbox);
    dsp.wins += 1;
    dsp.bidCountsByPublisher.win(publisher.id);
    publisher.bidCountsByDsp.win(win.dspId);
    if (win.bid.crid) dsp.bidCountsByCreative.win(win.bid.crid);
    if (sale.campaignId === null) continue;
    const campaign = facts.campaign(sale.campaignId, sale.dspId, sandbox);
    campaign.wins += 1;
    if (win.bid.crid) campaign.bidCountsByCreative.win(win.bid.crid);
  }
}

/** Imps with at least one ad. Several ads of a pod's dynamic portion may share an imp. */
function filledImps({ sold }: AuctionResult): number {
  return sold.length < 2 ? sold.length : new Set(sold.map(({ win }) => win.impId)).size;
}

/** Reasons why an evaluated delegate has no bid. */
const NON_BIDDING_REASONS: ReadonlySet<NoBidReason> = new Set([
  'budget-exhausted',
  'pacing',
  'frequency-cap',
  'creative-unavailable',
] as const);

function countPart(
  dsp: DspFacts,
  { called, latencyMs, offer, reason }: DemandParticipation,
  publisher: PublisherFacts,
): void {
  if (!called) {
    dsp.notCalled.add(reason!);
    return;
  }
  dsp.bidRequests += 1;
  if (reason === 'no-match') {
    dsp.noBids += 1;
    dsp.unmatched += 1;
    return;
  }
  if (reason === 'timeout') dsp.timeouts += 1;
  else if (reason === 'no-bid') dsp.noBids += 1;
  else if (reason !== null && NON_BIDDING_REASONS.has(reason)) {
    dsp.noBids += 1;
    dsp.nonBidding.add(reason);
  } else if (reason !== null) dsp.errors.add(reason);
  if (latencyMs > 0) dsp.latency.record(latencyMs);
  if (offer === null) return;
  dsp.offers += 1;
  dsp.bids += offer.bids.length + (offer.malformed?.length ?? 0);
  for (const { bid } of offer.bids) {
    dsp.bidCountsByPublisher.bid(publisher.id);
    publisher.bidCountsByDsp.bid(dsp.id);
    if (bid.crid) dsp.bidCountsByCreative.bid(bid.crid);
    if (isOfUnknownTaxonomy(bid)) dsp.unknownTaxonomy += 1;
  }
}

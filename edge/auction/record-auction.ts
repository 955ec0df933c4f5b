import type { NoBidReason } from '../../exchange/auction/loss-reason.ts';
import { isOfUnknownTaxonomy } from '../../exchange/auction/prohibited.ts';
import type { AuctionOrder } from '../auction-context.ts';
import type { DemandPart } from '../demand-part.ts';
import type { DspFacts, PublisherFacts } from '../facts/counters.ts';
import type { Facts } from '../facts/facts.ts';
import type { Demand } from '../recording/describe-parts.ts';
import type { Sales } from './auction-run.ts';

/** Counts one auction that was held: for its publisher, and for every demand source that had a part or might have had. */
export function recordAuction(
  facts: Facts,
  order: AuctionOrder,
  { replies, delegates, sales }: Demand,
  latencyMs: number,
): void {
  const { sandbox } = order;
  const publisher = facts.publisher(order.publisher.id, sandbox);
  publisher.auctions += 1;
  publisher.imps += order.request.imp.length;
  publisher.filledImps += filledImps(sales);
  publisher.latency.record(latencyMs);
  for (const reason of order.privacy.reasons) publisher.privacy.add(reason);
  if (delegates.evaluated !== null) {
    facts.evaluations(delegates.evaluated.delegateIds, sandbox).add(delegates.parts);
  }
  for (const part of delegates.parts) recordPart(facts.dsp(part.dsp.id, sandbox), part, publisher);
  for (const part of replies) recordPart(facts.dsp(part.dsp.id, sandbox), part, publisher);
  for (const [{ crid }, { campaign }] of delegates.creatives) {
    const counted = facts.campaign(campaign.id, campaign.dspId, sandbox);
    counted.bids += 1;
    if (crid) counted.creatives.bid(crid);
  }
  for (const { dspId, reason } of sales.losses) facts.dsp(dspId, sandbox).losses.add(reason);
  for (const { win, sale } of sales.sold) {
    const dsp = facts.dsp(win.dspId, sandbox);
    dsp.wins += 1;
    dsp.publishers.win(publisher.id);
    publisher.dsps.win(win.dspId);
    if (win.bid.crid) dsp.creatives.win(win.bid.crid);
    if (sale.campaignId === null) continue;
    const campaign = facts.campaign(sale.campaignId, sale.dspId, sandbox);
    campaign.wins += 1;
    if (win.bid.crid) campaign.creatives.win(win.bid.crid);
  }
}

/** Several ads may share an imp: those of a pod's dynamic portion. */
function filledImps({ sold }: Sales): number {
  return sold.length < 2 ? sold.length : new Set(sold.map(({ win }) => win.impId)).size;
}

/** Why a delegate that was evaluated has no bid. */
const KEPT_BACK: ReadonlySet<NoBidReason> = new Set([
  'budget-exhausted',
  'pacing',
  'frequency-cap',
  'creative-unavailable',
] as const);

function recordPart(dsp: DspFacts, { called, latencyMs, offer, reason }: DemandPart, publisher: PublisherFacts): void {
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
  else if (reason !== null && KEPT_BACK.has(reason)) {
    dsp.noBids += 1;
    dsp.keptBack.add(reason);
  } else if (reason !== null) dsp.errors.add(reason);
  if (latencyMs > 0) dsp.latency.record(latencyMs);
  if (offer === null) return;
  dsp.offers += 1;
  dsp.bids += offer.bids.length + (offer.malformed?.length ?? 0);
  for (const { bid } of offer.bids) {
    dsp.publishers.bid(publisher.id);
    publisher.dsps.bid(dsp.id);
    if (bid.crid) dsp.creatives.bid(bid.crid);
    if (isOfUnknownTaxonomy(bid)) dsp.unknownTaxonomy += 1;
  }
}

import { explainLoss, explainNoBid, explainReason } from '../../exchange/auction/explain-reason.ts';
import { cpmOf } from '../../exchange/money/price.ts';
import type { AuctionRecord, RecordedBid, RecordedParticipation } from './record.ts';

/** Says for the publisher why the request was filled or not. */
export function summaryOf(record: AuctionRecord): string {
  return record.test ? `In test mode, not billed. ${outcomeInWords(record)}` : outcomeInWords(record);
}

function outcomeInWords(record: AuctionRecord): string {
  const { outcome, reason, detail, sold, imps, parts } = record;
  if (outcome === 'blocked') return `Blocked: ${explainReason(reason ?? '').words}`;
  if (outcome === 'invalid') return `Refused: ${detail ?? explainReason(reason ?? '').words}`;
  if (outcome === 'expired') return 'Not filled: the auction took too long, and nobody was answered.';
  if (outcome === 'filled') {
    const prices = sold.map(({ clearingCpmMicros }) => `${cpmOf(clearingCpmMicros)}`).join(', ');
    const filled = new Set(sold.map(({ impId }) => impId)).size;
    const rest = filled < imps.length ? `; ${imps.length - filled} of ${imps.length} imps stayed empty` : '';
    return `Filled at ${prices} CPM${rest}. ${demandInWords(parts)}`;
  }
  if (parts.length === 0) return `Not filled: ${explainReason(reason ?? '').words}`;
  const best = bestLoser(parts);
  if (best !== null) {
    return `Not filled. The highest bid${priced(best)} ${lossInWords(best)} ${demandInWords(parts)}`;
  }
  const [misfit] = misfitsIn(parts);
  const why = misfit === undefined ? '' : ` ${misfit}`;
  if (parts.length === 1) return `Not filled. ${explainReason(reason ?? '').words}${why}`;
  return `Not filled: nobody bid (${reasonsCounted(parts)}). ${demandInWords(parts)}${why}`;
}

/** Says why a demand source won, lost, or had no bid. */
export function participationSummary(part: RecordedParticipation): string {
  const { outcome, reason, bids, keptBack } = part;
  const [first] = bids;
  if (outcome === 'won') return `Won at ${cpmOf(bids.find((bid) => bid.reason === null)!.winningCpmMicros!)} CPM.`;
  if (first !== undefined) return `Lost: the bid${priced(first)} ${lossInWords(first)}`;
  const words = reason === null ? 'The demand source has no bid.' : explainNoBid(reason).words;
  const campaigns = [...new Set(keptBack.map(({ campaignId }) => campaignId))].slice(0, 3);
  const named = campaigns.length === 0 ? words : `${words.slice(0, -1)}: ${campaigns.join(', ')}.`;
  const [misfit] = misfitsIn([part]);
  return misfit === undefined ? named : `${named} ${misfit}`;
}

/** The faults of the creatives of campaigns that had nothing to show, each creative once. */
function misfitsIn(parts: readonly RecordedParticipation[]): string[] {
  const all = parts.flatMap(({ keptBack }) => keptBack.flatMap(({ creatives = [] }) => creatives));
  return [...new Set(all.map(({ creativeId, words }) => `Creative ${creativeId}: ${words}`))];
}

function demandInWords(parts: readonly RecordedParticipation[]): string {
  const called = parts.filter((part) => part.called).length;
  const bidding = parts.filter(({ bids }) => bids.length > 0).length;
  const timedOut = parts.filter(({ reason }) => reason === 'timeout').length;
  const keptBack = parts.filter((part) => part.keptBack.length > 0).length;
  return [
    `Of ${counted(parts.length, 'demand source')}, ${called} ${called === 1 ? 'was' : 'were'} asked and ${bidding} bid`,
    ...(timedOut > 0 ? [`${timedOut} timed out`] : []),
    ...(keptBack > 0 ? [`${keptBack} kept campaigns back`] : []),
  ]
    .join(', ')
    .concat('.');
}

/** The counts use the names of `reason`: words would not show which of several demand sources they mean. */
function reasonsCounted(parts: readonly RecordedParticipation[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of parts) if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .sort(([, first], [, second]) => second - first)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ');
}

function bestLoser(parts: readonly RecordedParticipation[]): RecordedBid | null {
  let best: RecordedBid | null = null;
  for (const { bids } of parts) {
    for (const bid of bids) if (best === null || (bid.priceCpmMicros ?? -1) > (best.priceCpmMicros ?? -1)) best = bid;
  }
  return best;
}

/** The price between the bid and its verb; '' where the bid named no usable price. */
function priced({ priceCpmMicros }: RecordedBid): string {
  return priceCpmMicros === null ? '' : `, ${cpmOf(priceCpmMicros)} CPM,`;
}

/** Completes a sentence that begins with the bid. */
function lossInWords({ reason, detail, floorCpmMicros, winningCpmMicros }: RecordedBid): string {
  const words = reason === null ? 'won.' : explainLoss(reason, detail).words.replace(/^The bid /, '');
  if (reason === 'below-floor' || reason === 'below-deal-floor') {
    return `${words.slice(0, -1)} of ${cpmOf(floorCpmMicros ?? 0)} CPM.`;
  }
  if (reason === 'lost-to-higher-bid' && winningCpmMicros !== null) {
    return `${words.slice(0, -1)}: the imp was sold at ${cpmOf(winningCpmMicros)} CPM.`;
  }
  return words;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

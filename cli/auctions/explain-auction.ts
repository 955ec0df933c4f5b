import type { Schemas } from '#client/index';
import { tableOf } from '../table.ts';
import { oneLine, styled } from '../terminal.ts';

type Auction = Schemas['Auction'];
type Imp = Auction['imps'][number];
type Participation = Auction['demand'][number];

/**
 * A recorded auction for people: what was asked, and for each imp each bidder with its reason and what would change it.
 */
export function explainAuction(auction: Auction, names: ReadonlyMap<string, string>): string {
  const { summary, at, outcome, reason, remedy, detail, imps, demand, took_ms: tookMs } = auction;
  const lines = [
    styled('bold', oneLine`${summary}`),
    oneLine`${auction.auction_id}, ${at}, ${outcome}${reason === null ? '' : ` (${reason})`}, ${Math.round(tookMs)} ms${auction.sandbox ? ', sandbox' : ''}${auction.test ? ', test' : ''}`,
  ];
  if (detail !== null) lines.push(oneLine`${detail}`);
  if (remedy !== null) lines.push(oneLine`To change it: ${remedy}`);
  for (const withheld of auction.privacy) lines.push(oneLine`Withheld from bidders: ${withheld}`);
  const parts = imps.map((imp: Imp) => explainImp(imp, auction, names));
  // What concerns no single imp: who was not asked, or has answered without a bid.
  const without = demand.filter(
    ({ bids, kept_back: keptBack }: Participation) => bids.length === 0 && keptBack.length === 0,
  );
  const rest = without.map((one: Participation) => [
    nameOf(one, names),
    calledText(one),
    one.reason,
    one.why,
    one.remedy,
  ]);
  if (rest.length > 0) parts.push(`Without a bid:\n${tableOf(['bidder', 'asked', 'reason', 'why', 'remedy'], rest)}`);
  if (auction.demand_left_out) parts.push(`${auction.demand_left_out} more demand sources had less to say.\n`);
  return [`${lines.join('\n')}\n`, ...parts].join('\n');
}

/** Not its outcome: `answered` stands for every bidder that was asked in vain, also for one that was too late. */
function calledText({ called }: Participation): string {
  return called ? 'yes' : 'no';
}

function explainImp(imp: Imp, { demand, sold }: Auction, names: ReadonlyMap<string, string>): string {
  const isOfImp = ({ imp_id: impId }: { readonly imp_id: string }) => impId === imp.id;
  const what = [...imp.formats, ...imp.sizes].join(' ');
  const heading = `${styled('bold', oneLine`Imp ${imp.id}`)}: ${oneLine`${what}, floor ${imp.floor_cpm} USD CPM (${imp.floor_from})`}`;
  const bids = demand.flatMap((one: Participation) =>
    one.bids
      .filter(isOfImp)
      .map((bid: Participation['bids'][number]) => [
        nameOf(one, names),
        bid.won ? 'won' : (bid.reason ?? 'lost'),
        bid.price_cpm,
        bid.clearing_cpm,
        bid.min_to_win_cpm,
        bid.why,
        bid.remedy,
      ]),
  );
  const keptBack = demand.flatMap((one: Participation) =>
    one.kept_back
      .filter(isOfImp)
      .map((campaign: Participation['kept_back'][number]) => [
        `${nameOf(one, names)} ${campaign.campaign_id}`,
        campaign.reason,
        campaign.why,
        campaign.remedy,
      ]),
  );
  const lines = [`${heading}\n`];
  if (bids.length > 0) lines.push(tableOf(['bidder', 'outcome', 'bid', 'clears', 'to win', 'why', 'remedy'], bids));
  if (keptBack.length > 0)
    lines.push(`Campaigns that did not bid:\n${tableOf(['campaign', 'reason', 'why', 'remedy'], keptBack)}`);
  for (const sale of sold.filter(isOfImp)) {
    const buyer = names.get(sale.dsp_id) ?? sale.dsp_id;
    lines.push(oneLine`Sold to ${buyer} for ${sale.clearing_cpm} USD CPM; the impression: ${sale.impression}.`, '\n');
  }
  return lines.join('');
}

function nameOf({ dsp_id: id }: Participation, names: ReadonlyMap<string, string>): string {
  return names.get(id) ?? id;
}

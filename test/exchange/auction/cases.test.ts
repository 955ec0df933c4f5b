import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { decideAuction, type SellerPolicy } from '#exchange/auction/auction';
import { LOSS_REASONS, type LossReason } from '#exchange/auction/loss-reason';
import { parseBidRequest } from '#exchange/openrtb/parse-bid-request';
import { parseBidResponse } from '#exchange/openrtb/parse-bid-response';

/**
 * Every JSON file under cases/ is one auction: a request, what the bidders answer, and the outcome, wins and losses in
 * full. Cases in `exemplary` are usual auctions; in `supplemental` a party breaks a rule.
 */
interface Case {
  readonly description: string;
  readonly request: unknown;
  readonly terms?: Partial<SellerPolicy>;
  /** The random numbers that break ties; asking for more than are given is an error. */
  readonly random?: readonly number[];
  /** Bids that an earlier holding found unfit, by their ids, and why. */
  readonly rejected?: Readonly<Record<string, LossReason>>;
  /** Bids whose creatives people do not want shown, by their ids, and why. */
  readonly reviewed?: Readonly<Record<string, LossReason>>;
  readonly offers: readonly { readonly dsp: string; readonly response: unknown; readonly rendered?: boolean }[];
  readonly wins: readonly unknown[];
  readonly losses: readonly { readonly reason: string }[];
}

const NO_TERMS: SellerPolicy = {
  publisherFloorCpmMicros: 0,
  poolFloorCpmMicros: 0,
  blockedCategories: [],
  blockedDomains: [],
};

function outcomeOf({ request: document, terms, random = [], rejected = {}, reviewed = {}, offers }: Case) {
  const request = parseBidRequest(document);
  const numbers = random.values();
  const read = offers.map(({ dsp, response, rendered = false }) => {
    const reading = parseBidResponse(response, request.id);
    if (reading.outcome !== 'bids') throw new Error(`${dsp} has no bids: ${JSON.stringify(reading)}`);
    return { ...reading, dspId: dsp, rendered };
  });
  const bids = read.flatMap((offer) => offer.bids.map(({ bid }) => bid));
  const { wins, losses } = decideAuction({
    request,
    terms: { ...NO_TERMS, ...terms },
    offers: read,
    rejected: new Map(
      bids.flatMap((bid) => {
        const reason = rejected[bid.id];
        return reason === undefined ? [] : [[bid, { reason, detail: null }] as const];
      }),
    ),
    review: ({ id }) => reviewed[id],
    random: () => {
      const { value, done } = numbers.next();
      if (done) throw new Error('the case does not expect a tie');
      return value;
    },
  });
  return {
    wins: wins.map(({ impId, dspId, bid, format, clearingCpmMicros, minToWinCpmMicros, dealId }) => ({
      imp: impId,
      dsp: dspId,
      bid: bid.id,
      format,
      clearingCpmMicros,
      minToWinCpmMicros,
      ...(dealId !== null && { deal: dealId }),
    })),
    losses: losses.map(({ dspId, offered, malformed, reason, minToWinCpmMicros, winningCpmMicros }) => ({
      dsp: dspId,
      bid: offered?.bid.id ?? malformed?.bidId,
      reason,
      minToWinCpmMicros,
      winningCpmMicros,
    })),
  };
}

describe('auction cases', () => {
  const reasons = new Set<string>();
  for (const kind of ['exemplary', 'supplemental']) {
    const folder = new URL(`cases/${kind}/`, import.meta.url);
    for (const file of readdirSync(folder).sort()) {
      const auction: Case = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
      for (const { reason } of auction.losses) reasons.add(reason);
      it(`${kind}/${file.replace('.json', '')}: ${auction.description}`, () => {
        const { wins, losses } = outcomeOf(auction);
        expect(wins).to.deep.equal(auction.wins);
        expect(losses).to.have.deep.members(auction.losses);
      });
    }
  }

  it('have every reason for a loss', () => {
    // An auction does not know how long it took.
    expect([...reasons, 'auction-expired']).to.have.members(Object.keys(LOSS_REASONS));
  });
});

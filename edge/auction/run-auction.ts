import type { Win } from '../../exchange/auction/auction.ts';
import type { BidderOffer } from '../demand-part.ts';
import { OpenSale, type Sales } from './auction-run.ts';
import { isUnready, type ReadyTerms, readyWinners } from './prepare-winner.ts';
import type { SaleTerms } from './sale-context.ts';

/**
 * Holds the auction and prepares what was won for its way out. A winner whose markup cannot carry our tracker could
 * never be billed: it loses as `creative-rejected`, its group with it, and the auction is held again.
 */
export function sellAtOnce(offers: readonly BidderOffer[], terms: SaleTerms): Sales {
  const sale = new OpenSale(offers, terms);
  for (;;) {
    const sales = sale.close(sale.hold());
    if (sales !== null) return sales;
  }
}

/**
 * The same, where a winner may first have to do what takes time: fetch its markup from its win notice (OpenRTB 2.6 §4.2.3,
 * `nurl`), take its place under a frequency cap. Whoever fails at it loses and the auction is held again. A promise only when
 * there is something to wait for.
 */
export function sell(offers: readonly BidderOffer[], terms: SaleTerms, ready: ReadyTerms): Sales | Promise<Sales> {
  const sale = new OpenSale(offers, terms);
  for (;;) {
    const outcome = sale.hold();
    if (outcome.wins.some((win) => isUnready(win, sale))) return sellInSteps(sale, outcome.wins, ready);
    const sales = sale.close(outcome);
    if (sales !== null) return sales;
  }
}

async function sellInSteps(sale: OpenSale, wins: readonly Win[], ready: ReadyTerms): Promise<Sales> {
  let unready = wins.filter((win) => isUnready(win, sale));
  for (;;) {
    if (unready.length > 0) await readyWinners(unready, sale, ready);
    const outcome = sale.hold();
    unready = outcome.wins.filter((win) => isUnready(win, sale));
    if (unready.length > 0) continue;
    const sales = sale.close(outcome);
    if (sales === null) continue;
    sale.releasePlaces(sales, ready.caps);
    return sales;
  }
}

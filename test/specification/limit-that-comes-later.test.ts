import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { PROVIDER_PAIRS } from '../support/exchange.ts';
import { againstExchange } from './against-exchange.ts';
import type { Sold } from './delegate-market.ts';

const UNLIMITED = 5;
/** Much more than is sold while the edge has not heard of it. */
const LIMIT_CENTS = 40;

describe('specification: a limit that comes while ads sold without one are not shown', () => {
  againstExchange(
    'limits',
    (exchange) => {
      it('leaves what they do not cost, and counts them when they are shown', async () => {
        // At 10 CPM an impression is a cent.
        const market = await exchange.market({ bidders: [{ script: bids({ price: 10 }) }] });
        const path = `/api/demand/dsp/${market.bidders[0]!.dspId}/budget`;
        const sold: Sold[] = [];
        const sell = async () => {
          const { status, body } = await market.ask();
          if (status !== 204) sold.push(...body.seatbid.flatMap(({ bid }: { bid: Sold[] }) => bid));
        };
        await eventually('some to be sold', async () => {
          await sell();
          return sold.length === UNLIMITED;
        });
        expect((await exchange.call('PUT', path, { daily_budget_cents: LIMIT_CENTS })).status).to.equal(200);
        const standing = async () => (await exchange.get(path)).body;
        const soldOut = async () => {
          await sell();
          return (await standing()).reserved_cents === LIMIT_CENTS && sold.length > UNLIMITED;
        };
        // Where there may be other edges, all must have told what they sold first.
        await eventually('more to be sold, and nothing to be left', soldOut, { timeoutMs: 60_000 });
        for (let inVain = 0; inVain < 20; inVain++) await sell();
        // The market was tried out before: what was sold then counts too.
        expect(sold.length).to.be.within(UNLIMITED + 1, LIMIT_CENTS);
        expect(await standing()).to.include({ spent_today_cents: 0, remaining_cents: 0 });
        for (const { burl } of sold) expect((await fetch(burl)).status).to.equal(200);
        const spent = async () => (await standing()).spent_today_cents === sold.length;
        await eventually('all to be billed', spent, { timeoutMs: 60_000 });
        expect(await standing()).to.include({ reserved_cents: LIMIT_CENTS - sold.length, remaining_cents: 0 });
      });
    },
    {
      pairs: PROVIDER_PAIRS,
      environment: { MAX_REQUESTS_PER_SECOND_PER_DEVICE: '0', NEW_PUBLISHER_SHARE_PERCENT: '100' },
    },
  );
});

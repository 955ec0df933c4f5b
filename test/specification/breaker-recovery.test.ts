import { expect } from 'chai';
import { bids, type Script, silent } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { againstExchange } from './against-exchange.ts';
import { shows } from './shows.ts';

const BURST = 30;

againstExchange('recovery of a paused bidder', (exchange) => {
  let pausedMs: number;
  let probes: number;
  let afterwards: number;

  before(async function () {
    this.timeout(60_000);
    const market = await exchange.market({ bidders: [{ script: silent() }] });
    const [bidder] = market.bidders as [(typeof market.bidders)[0]];
    const burst = () => Promise.all(Array.from({ length: BURST }, () => market.ask()));
    /** How many of a burst reach the bidder. */
    const reaching = async () => {
      const before = bidder.received.length;
      await burst();
      return bidder.received.length - before;
    };
    await burst();
    const openedMs = performance.now();
    expect(await reaching(), 'while it is open').to.equal(0);

    // Slow enough that a burst comes while the probe is under way, quick enough to count as answered.
    const late: Script = (received, response) => {
      setTimeout(() => bids({ price: 1 })(received, response), 60);
    };
    bidder.script = late;
    probes = await eventually('a probe', reaching, { timeoutMs: 45_000, everyMs: 250 });
    pausedMs = performance.now() - openedMs;
    bidder.script = bids({ price: 1 });
    afterwards = await eventually('the bidder to be asked by all', async () => {
      const reached = await reaching();
      return reached === BURST ? reached : 0;
    });
  });

  shows(['state.breaker.half-open', 'limit.breaker-recovery'], () => {
    expect(pausedMs).to.be.within(25_000, 40_000);
    expect(probes, 'one probe at a time').to.equal(1);
  });
  shows('state.breaker.recovers', () => expect(afterwards).to.equal(BURST));
});

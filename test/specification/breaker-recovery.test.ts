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
  /** As health says them, in their order. */
  const states: string[] = [];

  before(async function () {
    // On a busy machine the probe, or what comes after it, may be too late, and the bidder is paused again for half a
    // minute.
    this.timeout(240_000);
    const market = await exchange.market({ bidders: [{ script: silent() }] });
    const [bidder] = market.bidders as [(typeof market.bidders)[0]];
    const burst = () => Promise.all(Array.from({ length: BURST }, () => market.ask()));
    /** How many of these requests reach the bidder. */
    const reaching = async (asking: () => Promise<unknown>) => {
      const receivedBefore = bidder.received.length;
      await asking();
      return bidder.received.length - receivedBefore;
    };
    // One at a time: on a busy machine a call among many comes too late, and the bidder is paused again.
    const oneByOne = async () => {
      for (let asked = 0; asked < BURST; asked += 1) await market.ask();
    };
    const health = async (): Promise<string> =>
      (await exchange.get(`/api/demand/sources/${bidder.dspId}/health`)).body.circuit_breaker;
    const becomes = async (state: string) => {
      await eventually(`health to say ${state}`, async () => (await health()) === state, {
        timeoutMs: 45_000,
        everyMs: 250,
      });
      states.push(state);
    };
    await burst();
    const openedMs = performance.now();
    expect(await reaching(burst), 'while it is open').to.equal(0);
    await becomes('open');
    // No request comes meanwhile.
    await becomes('half_open');
    pausedMs = performance.now() - openedMs;

    // Slow enough that a burst comes while the probe is under way, quick enough to count as answered.
    const late: Script = (received, response) => {
      setTimeout(() => bids({ price: 1 })(received, response), 60);
    };
    bidder.script = late;
    // On a busy machine a whole burst can be refused as surplus before anybody is asked.
    probes = await eventually('a burst to reach the bidder', () => reaching(burst), { timeoutMs: 45_000 });
    bidder.script = bids({ price: 1 });
    afterwards = await eventually(
      'the bidder to be asked by all',
      async () => {
        await market.ask();
        if ((await health()) !== 'closed') return 0;
        const reached = await reaching(oneByOne);
        return reached === BURST ? reached : 0;
      },
      { timeoutMs: 150_000, everyMs: 500 },
    );
    await becomes('closed');
  });

  shows(['state.breaker.half-open', 'limit.breaker-recovery'], () => {
    expect(pausedMs).to.be.within(25_000, 40_000);
    expect(probes, 'one probe at a time').to.equal(1);
  });
  shows('state.breaker.recovers', () => expect(afterwards).to.equal(BURST));
  shows('demand.health.circuit_breaker', () => expect(states).to.deep.equal(['open', 'half_open', 'closed']));
});

import { expect } from 'chai';
import { bids, startBidder } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { Installation } from './installation.ts';
import { BOOKS, SandboxTraffic } from './sandbox-traffic.ts';

const HELD = 5;

describe('the program, stopped under load', () => {
  let installation: Installation;
  before(async () => {
    installation = await Installation.make({
      BOOTSTRAP_API_KEY: 'pk_live_of-this-test',
      BOOTSTRAP_SANDBOX_API_KEY: 'pk_sandbox_of-this-test',
    });
  });
  after(() => installation.remove());

  it('answers what is under way, takes nothing new, and has in its ledgers what it acknowledged', async () => {
    const run = await installation.start();

    const bidder = await startBidder(bids({ price: 1 }));
    const pool = (await installation.call('POST', '/api/supply/pools', { name: 'Pool' })).body;
    const source = { name: 'Site', domain: 'site.example', type: 'web', pool_id: pool.id };
    const publisher = (await installation.call('POST', '/api/supply/sources', source)).body;
    const terms = { name: 'Bidder', mode: 'rtb', endpoint_url: bidder.url, timeout_ms: 150 };
    const dsp = (await installation.call('POST', '/api/demand/sources', terms)).body;
    await installation.call('POST', `/api/demand/sources/${dsp.id}/pools/${pool.id}`);
    const ask = (id: string) => {
      const request = { id, imp: [{ id: '1', banner: { w: 300, h: 250 } }], site: { id: publisher.id } };
      return callJson('POST', `${installation.edgeUrl}/rtb`, request);
    };
    let auctions = 0;
    await eventually('the bidder to be asked', async () => {
      const { status } = await ask(`before-${++auctions}`);
      // Requests that no DSP could be asked for count as auctions too.
      return status === 200;
    });

    const traffic = new SandboxTraffic(installation);
    traffic.start(8);
    await eventually('load', () => traffic.confirmed >= 50, { timeoutMs: 60_000, everyMs: 1 });
    expect(traffic.unanswered, 'before the signal every call is answered').to.equal(0);

    // The bidder has these requests in hand when the signal comes, so they are under way beyond doubt.
    const held: (() => void)[] = [];
    bidder.script = (received, response) => held.push(() => bids({ price: 1 })(received, response));
    const underWay = Array.from({ length: HELD }, (_, index) => ask(`held-${index}`));
    await eventually('the bidder to hold them', () => held.length === HELD, { everyMs: 1 });
    run.signal('SIGTERM');
    const signalledAt = performance.now();
    for (const release of held) release();
    for (const answer of await Promise.all(underWay)) {
      expect(answer.status, JSON.stringify(answer.body)).to.be.oneOf([200, 204]);
    }
    expect(await run.exited).to.equal(0);
    const stopMs = Math.round(performance.now() - signalledAt);
    console.log(`      stopped ${stopMs} ms after the signal`);
    expect(stopMs).to.be.below(10_000);
    await traffic.end();
    expect(run.stderr).to.equal('');
    for (const url of [installation.baseUrl, installation.edgeUrl, installation.opsUrl]) {
      const refused = await fetch(url).catch((error) => error.cause.code ?? error.cause.errors?.[0].code);
      expect(refused, url).to.equal('ECONNREFUSED');
    }
    await bidder.close();
    const audited = await installation.audit();
    expect(audited.stdout, 'what it had acknowledged is in its books').to.match(
      /^The books balance: [1-9]\d* ledgers, [1-9]\d* tallies/,
    );
    expect(audited.stderr).to.equal('');

    await installation.start();
    const acknowledged = traffic.confirmed;
    const { impressions } = await eventually(
      'the books',
      async () => {
        const { supply } = await traffic.books();
        return supply.impressions >= acknowledged && supply;
      },
      BOOKS,
    );
    // A call that was cut off may have been recorded or not.
    expect(impressions).to.be.within(acknowledged, traffic.pixels.size);
    for (const url of traffic.pixels.keys()) await traffic.confirm(url);
    await traffic.expectBooks();
    const { supply } = await traffic.books();
    expect(supply.bid_requests, "the sandbox's auctions").to.equal(traffic.auctions);
    const own = await installation.call('GET', `/api/supply/sources/${publisher.id}/stats`);
    expect(own.body.bid_requests, 'auctions under way at the signal').to.equal(auctions + HELD);
  });
});

import { expect } from 'chai';
import type { BidderReply } from '#edge/auction/bidders';
import { Bidder } from '#gateways/bidders/bidder';
import { askBidders } from '#gateways/bidders/fan-out';
import { DEFAULT_BIDDER_SETTINGS } from '#gateways/bidders/settings';
import { InProcessChannels, syntheticUrl } from '#gateways/bidders/synthetic/in-process-channels';
import { syntheticBidders } from '#gateways/bidders/synthetic/synthetic-bidders';
import { tryBidder } from '#gateways/bidders/trial-call';
import { systemClock } from '#runtime/providers/system/system-clock';
import { makeDspProjection } from '#test/support/dsp-projection';
import { RecordedCall } from '../channels/recorded-call.ts';

const REQUEST = Buffer.from(JSON.stringify({ id: 'r1', imp: [{ id: '1', banner: { w: 300, h: 250 } }] }));

/** Private networks are refused: no socket is opened for any of it. */
describe('gateways/bidders/synthetic/in-process-channels', () => {
  const bidders: Bidder[] = [];
  afterEach(async () => {
    await Promise.all(bidders.splice(0).map((bidder) => bidder.close()));
  });
  const view = (name: string, fields: object = {}) => {
    const persona = syntheticBidders.find((one) => one.name === name)!;
    return makeDspProjection({
      id: name,
      status: 'sandbox',
      endpointUrl: syntheticUrl(persona),
      timeoutMs: persona.timeoutMs,
      ...fields,
    });
  };
  const bidderOf = (name: string, fields: object = {}) => {
    const bidder = new Bidder(view(name, fields), DEFAULT_BIDDER_SETTINGS, systemClock, () => 0.5);
    bidders.push(bidder);
    return bidder;
  };
  const ask = (...asked: Bidder[]): Promise<readonly BidderReply[]> =>
    askBidders(asked, { body: () => REQUEST }, 150, systemClock);
  const outcome = ({ outcome }: BidderReply) => ('document' in outcome ? 'bid' : outcome.reason);

  it('bids within the deadline, and times out an answer after it', async () => {
    const replies = await ask(bidderOf('HighBidder'), bidderOf('TimeoutDSP'));
    expect(replies.map((reply) => [reply.called, outcome(reply)])).to.deep.equal([
      [true, 'bid'],
      [true, 'timeout'],
    ]);
    expect(replies[1]!.latencyMs).to.be.within(1, 150);
  });

  it('counts each call, and pauses a bidder that only times out', async () => {
    const late = bidderOf('TimeoutDSP', { timeoutMs: 20 });
    const { minimumCalls } = DEFAULT_BIDDER_SETTINGS.breaker;
    await Promise.all(Array.from({ length: minimumCalls }, () => ask(late)));
    expect(late.takeFigures()).to.include({ calls: minimumCalls, timeouts: minimumCalls });
    expect((await ask(late)).map(outcome)).to.deep.equal(['circuit-open']);
  });

  it('keeps to the bound of calls in flight, and frees the place of each that is given up', async () => {
    const late = bidderOf('TimeoutDSP', { timeoutMs: 20 });
    const { maxConcurrentCalls } = DEFAULT_BIDDER_SETTINGS;
    const replies = await Promise.all(Array.from({ length: maxConcurrentCalls + 1 }, () => ask(late)));
    expect(replies.map(([reply]) => outcome(reply!)).filter((reason) => reason === 'concurrency-limit')).to.have.length(
      1,
    );
    const [next] = await ask(bidderOf('TimeoutDSP', { timeoutMs: 20 }));
    expect(outcome(next!)).to.equal('timeout');
  });

  it('bids nowhere but in the sandbox, whatever becomes of its demand source', async () => {
    const high = bidderOf('HighBidder', { status: 'active' });
    expect((await ask(high)).map(outcome)).to.deep.equal(['unreachable']);
    high.update(view('HighBidder'));
    expect((await ask(high)).map(outcome)).to.deep.equal(['bid']);
    high.update(view('HighBidder', { status: 'active' }));
    expect((await ask(high)).map(outcome)).to.deep.equal(['unreachable']);
  });

  it('is no bidder under any other name', async () => {
    for (const endpointUrl of ['synthetic:nobody', 'synthetic:', 'synthetic://high-bidder', 'SYNTHETIC:high-bidder']) {
      expect((await ask(bidderOf('HighBidder', { endpointUrl }))).map(outcome), endpointUrl).to.deep.equal([
        'unreachable',
      ]);
    }
  });

  it('is tried as any bidder is', async () => {
    const trial = await tryBidder(view('LowBidder'), DEFAULT_BIDDER_SETTINGS, REQUEST, 150, systemClock);
    expect(trial.status).to.equal(200);
    expect(JSON.parse(trial.text!).seatbid[0].bid[0].price).to.equal(1.25);
    const none = await tryBidder(view('LowBidder'), DEFAULT_BIDDER_SETTINGS, Buffer.from('{}'), 150, systemClock);
    expect([none.status, none.outcome]).to.deep.equal([400, { reason: 'http-error', detail: 'status 400' }]);
  });

  it('fails a call that its persona throws at, at once or after its time', async () => {
    for (const answersAfterMs of [0, 1]) {
      const persona = {
        ...syntheticBidders[0],
        answersAfterMs,
        priceCpm: () => {
          throw new Error('no price');
        },
      };
      const call = new RecordedCall();
      new InProcessChannels(persona, 'https://edge.test', systemClock, Math.random).take().send(call, REQUEST);
      expect(await call.ended).to.include({ how: 'failed', status: 0 });
      expect(call.ends).to.equal(1);
    }
  });

  it('ends calls that are under way when its bidder is closed', async () => {
    const late = bidderOf('TimeoutDSP');
    const asked = ask(late);
    await new Promise((resolve) => setImmediate(resolve));
    await late.close();
    expect((await asked).map(outcome)).to.deep.equal(['unreachable']);
  });
});

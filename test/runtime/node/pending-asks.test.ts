import { expect } from 'chai';
import { Registry } from 'prom-client';
import { ActorTimeout, Overloaded, Parked, Rejected } from '#runtime/actor/errors';
import { NodeMetrics } from '#runtime/node/metrics';
import { encodeReply, PendingAsks } from '#runtime/node/pending-asks';
import { SteppedClock } from './stepped-clock.ts';

describe('asks that wait for their reply', () => {
  let clock: SteppedClock;
  let registry: Registry;
  let asks: PendingAsks;
  beforeEach(() => {
    clock = new SteppedClock();
    registry = new Registry();
    asks = new PendingAsks(clock, 2, new NodeMetrics(registry));
  });
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail('resolved'),
      (error: Error) => error,
    );

  it('resolve with the value, whatever it is', async () => {
    for (const value of [{ a: 1 }, [], 0, '', false, null]) {
      const reply = asks.wait('1', 'counter/a', 100);
      asks.receive(encodeReply('1', { value }));
      expect(await reply).to.deep.equal(value);
    }
    expect(clock.timers).to.equal(0);
  });

  it('fail as the actor says', async () => {
    const rejected = asks.wait('1', 'counter/a', 100);
    asks.receive(encodeReply('1', { rejected: { code: 'CONFLICT', message: 'taken', details: { by: 'b' } } }));
    expect(await failure(rejected))
      .to.be.instanceOf(Rejected)
      .and.include({ code: 'CONFLICT', message: 'taken' });
    expect(await failure(rejected)).to.have.deep.property('details', { by: 'b' });

    const parked = asks.wait('2', 'counter/a', 100);
    asks.receive(encodeReply('2', { parked: 'the reducer failed' }));
    expect(await failure(parked))
      .to.be.instanceOf(Parked)
      .and.have.property('message', 'the reducer failed');
  });

  it('end with ActorTimeout, which says that the outcome is unknown', async () => {
    const reply = failure(asks.wait('1', 'counter/a', 100));
    await clock.step();
    expect(clock.monotonic()).to.equal(100);
    const error = await reply;
    expect(error).to.be.instanceOf(ActorTimeout);
    expect(error.message).to.contain('counter/a').and.contain('100 ms').and.contain('unknown');
    expect(await registry.getSingleMetricAsString('actor_asks_timed_out_total')).to.match(/ 1$/m);
    // Too late: no one waits for it.
    asks.receive(encodeReply('1', { value: 1 }));
    asks.receive(encodeReply('never asked', { value: 1 }));
  });

  it('are bounded, and leave room when they end in any way', async () => {
    const first = asks.wait('1', 'counter/a', 100);
    const second = failure(asks.wait('2', 'counter/a', 200));
    expect(() => asks.wait('3', 'counter/a', 100)).to.throw(Overloaded);
    asks.receive(encodeReply('1', { value: 1 }));
    await first;
    const third = failure(asks.wait('3', 'counter/a', 100));
    expect(() => asks.wait('4', 'counter/a', 100)).to.throw(Overloaded);
    await clock.step();
    expect(await third).to.be.instanceOf(ActorTimeout);
    const fourth = failure(asks.wait('4', 'counter/a', 100));
    asks.fail('4', new Overloaded('not sent'));
    expect(await fourth).to.be.instanceOf(Overloaded);
    asks.close();
    expect(await second).to.be.instanceOf(ActorTimeout);
    expect(clock.timers).to.equal(0);
  });
});

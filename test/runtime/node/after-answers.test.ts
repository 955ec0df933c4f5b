import { MessageChannel } from 'node:worker_threads';
import { expect } from 'chai';
import { afterAnswers } from '#runtime/node/after-answers';
import { systemClock } from '#runtime/providers/system/system-clock';
import { SteppedClock } from './stepped-clock.ts';

describe('a time after which answers are missed', () => {
  it('is over at once when it was noticed in time', async () => {
    const clock = new SteppedClock();
    let over = false;
    afterAnswers(clock, 100, () => {
      over = true;
    });
    await clock.step();
    expect(over).to.equal(true);
    expect(clock.timers).to.equal(0);
  });

  it('is over a turn later when it was noticed late, and never once it is cancelled', async () => {
    const clock = new SteppedClock();
    const over: string[] = [];
    afterAnswers(clock, 100, () => over.push('late'));
    const cancel = afterAnswers(clock, 100, () => over.push('cancelled'));
    clock.pass(5_000);
    await clock.step();
    await clock.step();
    expect(over).to.deep.equal([]);
    cancel();
    await clock.step();
    expect(over).to.deep.equal(['late']);
    expect(clock.timers).to.equal(0);
  });

  it('comes after what has arrived while the event loop was busy', async () => {
    const events: string[] = [];
    const { port1, port2 } = new MessageChannel();
    port2.on('message', () => events.push('answer'));
    const over = new Promise<void>((resolve) => {
      afterAnswers(systemClock, 10, () => {
        events.push('over');
        resolve();
      });
    });
    port1.postMessage('answer');
    const busyUntil = performance.now() + 100;
    while (performance.now() < busyUntil);
    await over;
    port1.close();
    expect(events).to.deep.equal(['answer', 'over']);
  });
});

import { expect } from 'chai';
import { waitAtMost } from '../../async/wait-at-most.ts';
import { FakeTimer } from './fake-timer.ts';

describe('async/wait-at-most', () => {
  it('ends with the work, and leaves no timer', async () => {
    const timer = new FakeTimer();
    await waitAtMost(timer, 100, Promise.resolve());
    expect(timer.pending).to.equal(0);
    const failure = new Error('no');
    const failed = await waitAtMost(timer, 100, Promise.reject(failure)).catch((error: unknown) => error);
    expect(failed).to.equal(failure);
    expect(timer.pending).to.equal(0);
  });

  it('ends when its time has passed, whatever becomes of the work', async () => {
    const timer = new FakeTimer();
    const waiting = waitAtMost(timer, 100, new Promise(() => {}));
    timer.pass(100);
    await waiting;
  });
});

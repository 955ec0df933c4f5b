import { expect } from 'chai';
import { inTime } from '../../async/in-time.ts';
import { FakeTimer } from './fake-timer.ts';

describe('async/in-time', () => {
  it('is as the work is, and leaves no timer', async () => {
    const timer = new FakeTimer();
    expect(await inTime(timer, 100, Promise.resolve(7), null)).to.equal(7);
    const failure = new Error('no');
    const failed = await inTime(timer, 100, Promise.reject(failure), null).catch((error: unknown) => error);
    expect(failed).to.equal(failure);
    expect(timer.pending).to.equal(0);
  });

  it('is late when its time has passed, whatever becomes of the work', async () => {
    const timer = new FakeTimer();
    let fail = (_: Error) => {};
    const waiting = inTime(timer, 100, new Promise<number>((_, reject) => (fail = reject)), null);
    timer.pass(100);
    expect(await waiting).to.equal(null);
    fail(new Error('too late to matter'));
  });
});

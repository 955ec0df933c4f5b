import { expect } from 'chai';
import { pause } from '../../async/pause.ts';
import { FakeTimer } from './fake-timer.ts';

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('async/pause', () => {
  it('ends when its time has passed, and not before', async () => {
    const timer = new FakeTimer();
    let ended = false;
    void pause(timer, 100).then(() => {
      ended = true;
    });
    timer.pass(99);
    await turn();
    expect(ended).to.equal(false);
    timer.pass(1);
    await turn();
    expect(ended).to.equal(true);
  });

  it('ends when the signal is aborted, leaves no timer and does not reject', async () => {
    const timer = new FakeTimer();
    const stopping = new AbortController();
    const pausing = pause(timer, 100, stopping.signal);
    stopping.abort(new Error('over'));
    await pausing;
    expect(timer.pending).to.equal(0);
    await pause(timer, 100, stopping.signal);
    expect(timer.pending).to.equal(0);
  });
});

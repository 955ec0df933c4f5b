import { expect } from 'chai';
import { Signal } from '../../async/signal.ts';
import { FakeTimer } from './fake-timer.ts';

describe('async/signal', () => {
  it('wakes all that wait with what it is raised with, and leaves no timer', async () => {
    const timer = new FakeTimer();
    const signal = new Signal<string>(timer);
    const waiting = [signal.wait(100), signal.wait(200)];
    signal.raise('now');
    expect(await Promise.all(waiting)).to.deep.equal(['now', 'now']);
    expect(timer.pending).to.equal(0);
  });

  it('resumes the waiters whose time has passed, and no others', async () => {
    const timer = new FakeTimer();
    const signal = new Signal<string>(timer);
    const [short, long] = [signal.wait(100), signal.wait(200)];
    timer.pass(100);
    expect(await short).to.equal(undefined);
    signal.raise('late');
    expect(await long).to.equal('late');
  });

  it('misses nothing that was raised since the count was taken', async () => {
    const timer = new FakeTimer();
    const signal = new Signal(timer);
    const before = signal.raised;
    signal.raise();
    await signal.wait(100, before);
    expect(timer.pending).to.equal(0);
    void signal.wait(100);
    expect(timer.pending).to.equal(1);
  });

  it('does not wait without time', async () => {
    const timer = new FakeTimer();
    await new Signal(timer).wait(0);
    expect(timer.pending).to.equal(0);
  });
});

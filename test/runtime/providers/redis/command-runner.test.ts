import { expect } from 'chai';
import { LogUnavailable } from '#runtime/ports/errors';
import { CommandRunner } from '#runtime/providers/redis/command-runner';

describe('runtime/providers/redis/command-runner', () => {
  it('tells its observer of each command once: answered, failed, late, or cut off', async () => {
    const ends: string[] = [];
    let inFlight = 0;
    const runner = new CommandRunner({
      ...{ unavailable: LogUnavailable, timeoutMs: 20, maxWaiting: 10, sending: () => {}, failed: () => {} },
      observer: {
        begun: () => inFlight++,
        ended(how, ms) {
          expect(ms).to.be.at.least(0);
          inFlight--;
          ends.push(how);
        },
      },
    });
    expect(await runner.run(async () => 'OK')).to.equal('OK');
    const failure = await runner.run(async () => Promise.reject(new Error('READONLY'))).catch((error) => error);
    expect(failure).to.be.instanceOf(LogUnavailable);
    let answerLate = () => {};
    const late = new Promise<void>((resolve) => {
      answerLate = resolve;
    });
    expect(await runner.run(() => late).catch((error) => error)).to.be.instanceOf(LogUnavailable);
    // What comes after all is no second end.
    answerLate();
    await late;
    const cutOff = runner.run(() => new Promise(() => {})).catch((error) => error);
    expect(inFlight).to.equal(1);
    runner.close();
    expect(await cutOff).to.be.instanceOf(LogUnavailable);
    expect(await runner.run(async () => 'closed').catch((error) => error)).to.be.instanceOf(LogUnavailable);
    expect(ends).to.deep.equal(['answered', 'failed', 'late', 'late']);
    expect(inFlight).to.equal(0);
  });
});

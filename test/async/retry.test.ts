import { expect } from 'chai';
import { backoffMs, retry } from '../../async/retry.ts';

describe('async/retry', () => {
  const failing = (times: number) => {
    let calls = 0;
    return async () => {
      calls += 1;
      if (calls <= times) throw new Error(`failure ${calls}`);
      return calls;
    };
  };

  it('tries until it succeeds, and pauses after each failure', async () => {
    const pauses: number[] = [];
    const pause = async (failures: number) => void pauses.push(failures);
    expect(await retry(failing(3), { mayRetry: () => true, pause })).to.equal(4);
    expect(pauses).to.deep.equal([1, 2, 3]);
  });

  it('rejects with the latest failure after its last attempt, without a pause', async () => {
    const pauses: number[] = [];
    const pause = async (failures: number) => void pauses.push(failures);
    const outcome = await retry(failing(9), { attempts: 3, mayRetry: () => true, pause }).catch(
      (error: Error) => error.message,
    );
    expect([outcome, pauses]).to.deep.equal(['failure 3', [1, 2]]);
  });

  it('rejects at once with an error that no further try can change', async () => {
    const outcome = await retry(failing(9), { mayRetry: (error) => (error as Error).message !== 'failure 2' }).catch(
      (error: Error) => error.message,
    );
    expect(outcome).to.equal('failure 2');
  });

  it('doubles the wait with each failure, within its range', () => {
    const waits = [0, 1, 2, 3, 4, 1_000].map((failures) => backoffMs(failures, [50, 500]));
    expect(waits).to.deep.equal([50, 100, 200, 400, 500, 500]);
  });
});

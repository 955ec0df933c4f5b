import { expect } from 'chai';
import { Repeated } from '../../async/repeated.ts';
import type { Clock } from '../../runtime/ports/clock.ts';

describe('async/repeated', () => {
  /** What waits for its time, of which there is never more than one here. */
  let timer: (() => void) | null;
  let begun: number;
  let end: () => void;
  let repeated: Repeated;

  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    after(ms, act) {
      expect(ms).to.equal(1_000);
      expect(timer, 'one timer at a time').to.equal(null);
      timer = act;
      return () => {
        timer = null;
      };
    },
  };
  const fire = () => {
    const act = timer!;
    timer = null;
    act();
  };
  const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

  beforeEach(() => {
    timer = null;
    begun = 0;
    repeated = new Repeated(clock, 1_000, () => {
      begun += 1;
      return new Promise((resolve) => {
        end = resolve;
      });
    });
  });

  it('waits anew when its work has ended, and not before', async () => {
    repeated.start();
    expect([begun, timer === null]).to.deep.equal([0, false]);
    fire();
    await turn();
    expect([begun, timer]).to.deep.equal([1, null]);
    end();
    await turn();
    fire();
    expect(begun).to.equal(2);
  });

  it('is never at work twice: who wants it now shares what is under way', async () => {
    const first = repeated.now();
    expect(repeated.now()).to.equal(first);
    end();
    await first;
    void repeated.now();
    expect(begun).to.equal(2);
  });

  it('stops when what is under way has ended, and does not begin again', async () => {
    repeated.start();
    fire();
    let stopped = false;
    const stopping = repeated.stop().then(() => {
      stopped = true;
    });
    await turn();
    expect(stopped).to.equal(false);
    end();
    await stopping;
    await turn();
    expect([begun, timer]).to.deep.equal([1, null]);
  });
});

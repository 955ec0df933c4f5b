import { expect } from 'chai';
import type { Timer } from '../../async/pause.ts';
import { Ticker } from '../../async/ticker.ts';

describe('async/ticker', () => {
  /** What waits for its time, of which there is never more than one here. */
  let timer: (() => void) | null;
  let begun: number;
  let end: () => void;
  let ticker: Ticker;

  const clock: Timer = {
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
    ticker = new Ticker(clock, 1_000, () => {
      begun += 1;
      return new Promise((resolve) => {
        end = resolve;
      });
    });
  });

  it('waits anew when its work has ended, and not before', async () => {
    ticker.start();
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
    const first = ticker.now();
    expect(ticker.now()).to.equal(first);
    end();
    await first;
    void ticker.now();
    expect(begun).to.equal(2);
  });

  it('stops when what is under way has ended, and does not begin again', async () => {
    ticker.start();
    fire();
    let stopped = false;
    const stopping = ticker.stop().then(() => {
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

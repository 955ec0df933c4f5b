import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { Readiness } from '#composition/readiness';
import type { Asked, Forked, Told } from '#composition/supervisor/protocol';
import { SupervisedProcess } from '#composition/supervisor/supervised-process';
import { VirtualClock } from '#test/support/virtual-clock';

/** What providers wait for an answer to a ping, ms. */
const LOG_WITHIN_MS = 1_000;
const STORE_WITHIN_MS = 2_000;

describe('the readiness of a process below a supervisor', () => {
  let clock: VirtualClock;
  let readiness: Readiness;
  let hangs: Set<'log' | 'store'>;
  let supervised: SupervisedProcess;
  /** Resolves when the process has asked the part whether it answers. */
  let asked: Record<'log' | 'store', Promise<void>>;

  beforeEach(() => {
    clock = new VirtualClock();
    readiness = new Readiness(clock);
    readiness.phase = 'serving';
    hangs = new Set();
    const part = (name: 'log' | 'store', withinMs: number) => {
      let heard = () => {};
      const healthy = () => {
        heard();
        if (!hangs.has(name)) return Promise.resolve(true);
        return new Promise<boolean>((resolve) => void clock.after(withinMs, () => resolve(false)));
      };
      return [healthy, new Promise<void>((resolve) => (heard = resolve))] as const;
    };
    const [log, logAsked] = part('log', LOG_WITHIN_MS);
    const [store, storeAsked] = part('store', STORE_WITHIN_MS);
    asked = { log: logAsked, store: storeAsked };
    readiness.opened({
      log: { healthy: log },
      store: { healthy: store, unindexed: () => [] },
      replica: { ready: true },
    });
    const forked = Object.assign(new EventEmitter(), {
      pid: 1,
      connected: true,
      kill: () => true,
      send: ({ id }: Asked) => {
        const answer = readiness.missing().then((missing) => ({ missing, underWay: [] }));
        void answer.then((told) => forked.emit('message', { id, answer: told } satisfies Told));
        return true;
      },
    });
    supervised = new SupervisedProcess('others', forked as EventEmitter as unknown as Forked, clock);
  });

  /** What the supervisor is told while time goes on to each deadline in turn. */
  const told = async () => {
    const telling = supervised.ask({ what: 'readiness', leftOut: [] }).then(
      ({ missing }) => missing,
      (error) => [String(error.message)],
    );
    let isTold = false;
    void telling.then(() => (isTold = true));
    while (!isTold) {
      clock.advance(100);
      await new Promise(setImmediate);
    }
    return telling;
  };

  it('names the store that hangs: the process answers before the supervisor gives it up', async () => {
    hangs.add('store');
    expect(await told()).to.deep.equal(['store']);
  });

  it('names both of log and store that hang, which it asks at once', async () => {
    hangs.add('log').add('store');
    const telling = told();
    await Promise.all([asked.log, asked.store]);
    expect(await telling).to.deep.equal(['log', 'store']);
  });

  it('names nothing of what answers', async () => {
    expect(await told()).to.deep.equal([]);
  });
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { onceTurnIsWritten, writeAtTurnEnd, writeOnceDecided } from '#async/turn-end';

describe('async/turn-end', () => {
  it('writes all that a turn has to write in its order, then does the rest', async () => {
    const done: string[] = [];
    onceTurnIsWritten(() => done.push('first of the rest'));
    writeAtTurnEnd(() => done.push('first write'));
    onceTurnIsWritten(() => done.push('second of the rest'));
    await Promise.resolve();
    writeAtTurnEnd(() => done.push('second write'));
    expect(done).to.have.length(0);
    await nextTurn();
    expect(done).to.deep.equal(['first write', 'second write', 'first of the rest', 'second of the rest']);
  });

  it('takes what comes meanwhile: a write of a write at once, a write of the rest at the end of the next turn', async () => {
    const done: string[] = [];
    writeAtTurnEnd(() => {
      done.push('write');
      writeAtTurnEnd(() => done.push('write of a write'));
    });
    onceTurnIsWritten(() => {
      done.push('rest');
      writeAtTurnEnd(() => done.push('write of the rest'));
      onceTurnIsWritten(() => done.push('rest of the rest'));
    });
    await nextTurn();
    expect(done).to.deep.equal(['write', 'write of a write', 'rest', 'rest of the rest']);
    await nextTurn();
    expect(done.slice(4)).to.deep.equal(['write of the rest']);
  });

  it('lets no more than 32 writes wait, and writes none twice', async () => {
    const done: number[] = [];
    for (let index = 0; index < 40; index++) {
      writeAtTurnEnd(() => {
        done.push(index);
        // Comes while others are written.
        if (index === 31) for (let more = 100; more < 140; more++) writeAtTurnEnd(() => done.push(more));
      });
      if (index === 30) expect(done).to.have.length(0);
    }
    const first = [...Array(32).keys(), ...Array.from({ length: 40 }, (_, more) => 100 + more)];
    expect(done).to.deep.equal(first);
    await nextTurn();
    expect(done).to.deep.equal([...first, 32, 33, 34, 35, 36, 37, 38, 39]);
  });

  it('writes what a callback at the end of a turn has decided in that turn', async () => {
    const done: string[] = [];
    // The end of this turn comes before the callback.
    writeAtTurnEnd(() => done.push('write'));
    const decided = async (): Promise<void> => {
      for (let step = 0; step < 5; step++) await Promise.resolve();
      writeAtTurnEnd(() => done.push('write of what was decided'));
    };
    setImmediate(() => {
      void decided();
      writeOnceDecided();
      setImmediate(() => done.push('next turn'));
    });
    await nextTurn();
    await nextTurn();
    expect(done).to.deep.equal(['write', 'write of what was decided', 'next turn']);
  });

  it('runs the others when one throws, and does not hide the error', async () => {
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    const uncaught: unknown[] = [];
    process.on('uncaughtException', (error) => uncaught.push(error));
    try {
      const done: string[] = [];
      const error = new Error('cannot be written');
      writeAtTurnEnd(() => {
        throw error;
      });
      writeAtTurnEnd(() => done.push('write'));
      onceTurnIsWritten(() => done.push('rest'));
      await nextTurn();
      await nextTurn();
      expect(done).to.deep.equal(['write', 'rest']);
      expect(uncaught).to.deep.equal([error]);
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of listeners) process.on('uncaughtException', listener);
    }
  });
});

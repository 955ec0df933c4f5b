import { expect } from 'chai';
import { SharedTurns } from '#async/shared-turns';
import { DeliveryAttempts } from '#runtime/node/delivery-attempts';
import { SILENT } from '#runtime/node/logger';
import type { NodeDeps } from '#runtime/node/node-deps';
import { DEFAULT_TUNING } from '#runtime/node/tuning';
import type { LogEntry } from '#runtime/ports/log';

const entriesFrom = (first: number, count: number): LogEntry[] =>
  Array.from({ length: count }, (_, at) => ({ position: `${first + at}-0`, payload: '' }));

/** A partition whose owners die: what the last one noted is what the next one gets. */
class Partition {
  note = '';
  cursor = '100-0';

  /** Partitions that one process owns share `carefulTurns`. */
  acquire(owner: string, carefulTurns = new SharedTurns()): DeliveryAttempts {
    const parts = {
      tuning: DEFAULT_TUNING,
      logger: SILENT,
      carefulTurns,
      provider: {
        leases: {
          note: async (_lease: unknown, note: string) => {
            this.note = note;
            return true;
          },
        },
      },
    } as unknown as NodeDeps;
    const lease = { partition: 0, owner, epoch: 1 };
    return new DeliveryAttempts(parts, { lease, cursor: this.cursor, last: '9999-0', note: this.note });
  }
}

describe('attempts at a partition', () => {
  it('go on in portions after many owners died that each got further', async () => {
    const partition = new Partition();
    for (let owner = 1; owner <= 8; owner++) {
      const attempts = partition.acquire(`owner ${owner}`);
      await attempts.begin(true);
      const first = 200 * owner;
      const read = entriesFrom(first, 120);
      await attempts.beginBatch(read.slice(0, 50), partition.cursor);
      partition.cursor = `${first + 49}-0`;
      // A note at the new cursor, and the owner is gone.
      await attempts.beginBatch(read.slice(50, 100), partition.cursor);
    }
    const next = partition.acquire('next');
    await next.begin(true);
    expect(next.careful(partition.cursor)).to.equal(true);
    const suspects = entriesFrom(200 * 8 + 50, 50);
    expect(next.batchSize(suspects, partition.cursor), 'those that were in hand').to.equal(1);
    expect(next.batchSize(entriesFrom(2_000, 400), partition.cursor), 'those behind them').to.equal(50);
  });

  it('go on one by one while several owners did not get past one cursor, and in portions once one did', async () => {
    const partition = new Partition();
    for (let owner = 1; owner <= 4; owner++) await partition.acquire(`owner ${owner}`).begin(true);
    const next = partition.acquire('next');
    await next.begin(true);
    expect(next.batchSize(entriesFrom(200, 400), '100-0')).to.equal(1);
    expect(next.batchSize(entriesFrom(200, 400), '250-0')).to.equal(50);
  });

  it('give up a message that was in hand by itself when three owners died', async () => {
    const partition = new Partition();
    for (let owner = 1; owner <= 3; owner++) {
      const attempts = partition.acquire(`owner ${owner}`);
      await attempts.begin(true);
      expect(await attempts.beginAttempt('200-0', partition.cursor)).to.equal(null);
    }
    const next = partition.acquire('next');
    await next.begin(true);
    expect(await next.beginAttempt('200-0', partition.cursor)).to.equal('3 processes ended while handling it');
  });

  it('give up the message that ended the owners, and none that was in hand beside it or beside its portion', async () => {
    const partitions = { lethal: new Partition(), innocent: new Partition() };
    /** What one process decided about its first messages of each partition. Handling them takes it for ever. */
    const decisions = async (owner: string, lethalPortion: number) => {
      const carefulTurns = new SharedTurns();
      const decided: Record<string, string | null> = {};
      for (const [name, partition] of Object.entries(partitions)) {
        const attempts = partition.acquire(owner, carefulTurns);
        await attempts.begin(true);
        const entries = entriesFrom(200, name === 'lethal' ? lethalPortion : 1);
        void attempts.inTurn(entries, partition.cursor, async () => {
          decided[name] =
            entries.length === 1
              ? await attempts.beginAttempt('200-0', partition.cursor)
              : await attempts.beginBatch(entries, partition.cursor).then(() => null);
          if (decided[name] === null) await new Promise(() => {});
        });
      }
      await new Promise(setImmediate);
      return decided;
    };
    for (const partition of Object.values(partitions)) await partition.acquire('owner 1').begin(true);
    expect(await decisions('owner 2', 10), 'nothing is suspected').to.deep.equal({ lethal: null, innocent: null });
    for (const [owner, portion] of [
      ['owner 3', 10],
      ['owner 4', 1],
      ['owner 5', 1],
      ['owner 6', 1],
    ] as const) {
      expect(await decisions(owner, portion), 'a suspect is handled alone').to.deep.equal({ lethal: null });
    }
    const reason = '3 processes ended while handling it';
    expect(await decisions('next', 1)).to.deep.equal({ lethal: reason, innocent: null });
  });
});

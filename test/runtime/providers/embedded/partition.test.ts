import { expect } from 'chai';
import fc from 'fast-check';
import { LogUnavailable } from '#runtime/ports/errors';
import type { LogEntry } from '#runtime/ports/log';
import {
  comparePositions,
  type Position,
  positionOf,
  positionSequence,
  positionTimeMs,
  START,
} from '#runtime/ports/position';
import { CommitGroup } from '#runtime/providers/embedded/commit-group';
import { type Environment, openEnvironment } from '#runtime/providers/embedded/environment';
import { Partition } from '#runtime/providers/embedded/partition';
import { type DataFolder, freshDataFolder } from './data-folder.ts';

type Step =
  | { readonly do: 'append'; readonly texts: readonly string[]; readonly laterMs: number }
  /** Of the entries that could be read when the group began, how many. */
  | { readonly do: 'commit'; readonly entries: number }
  | { readonly do: 'raise'; readonly byMs: number; readonly bySequence: number };

const someStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('append' as const),
    texts: fc.array(fc.string({ maxLength: 12 }), { minLength: 1, maxLength: 5 }),
    laterMs: fc.integer({ min: -2, max: 2 }),
  }),
  fc.record({ do: fc.constant('commit' as const), entries: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ do: fc.constant('raise' as const), byMs: fc.nat(1), bySequence: fc.nat(3) }),
);
/** Each inner list is one commit group; `restart` follows it. */
const someHistory = fc.array(
  fc.record({ steps: fc.array(someStep, { minLength: 1, maxLength: 4 }), restart: fc.boolean(), limit: fc.nat(6) }),
  { maxLength: 12 },
);

/** A partition as a plain list. */
class PlainPartition {
  entries: LogEntry[] = [];
  last: Position = START;
  cursor: Position = START;
  appended = 0;

  append(nowMs: number, payload: string): void {
    const lastMs = positionTimeMs(this.last);
    this.last = nowMs > lastMs ? positionOf(nowMs, 0) : positionOf(lastMs, positionSequence(this.last) + 1);
    this.entries.push({ position: this.last, payload });
    this.appended += 1;
  }

  commit(cursor: Position): void {
    if (comparePositions(cursor, this.cursor) <= 0) return;
    this.cursor = cursor;
    this.entries = this.entries.filter(({ position }) => comparePositions(position, cursor) > 0);
  }

  raise(position: Position): void {
    if (comparePositions(position, this.last) > 0) this.last = position;
  }
}

describe('a partition of the embedded log', () => {
  let data: DataFolder;
  let environment: Environment;
  let group: CommitGroup;
  let partition: Partition;
  let number = 0;
  before(async () => {
    data = await freshDataFolder();
    environment = openEnvironment(data.folder);
    group = new CommitGroup(environment.root);
    group.join({
      seal: () => partition.seal(),
      durable: () => void partition.durable(),
      lost: () => partition.load(),
    });
  });
  after(async () => {
    await group.close();
    await environment.root.close();
    await data.remove();
  });

  it('is a plain list, whatever is grouped, trimmed, pushed out of memory or read again from disk', async () => {
    await fc.assert(
      fc.asyncProperty(someHistory, fc.constantFrom(0, 15, 10_000), async (history, memoryCharacters) => {
        const mine = number++;
        partition = new Partition(mine, environment, memoryCharacters);
        const plain = new PlainPartition();
        let nowMs = 1_795_250_000_000;
        for (const { steps, restart, limit } of history) {
          const readable = [...plain.entries];
          const applied = steps.map((step) =>
            group.write(() => {
              if (step.do === 'append') {
                nowMs += step.laterMs;
                for (const text of step.texts) {
                  partition.append(nowMs, text);
                  plain.append(nowMs, text);
                }
              } else if (step.do === 'commit') {
                const cursor = readable[Math.min(step.entries, readable.length) - 1]?.position ?? START;
                partition.commit(cursor);
                plain.commit(cursor);
              } else {
                const ms = positionTimeMs(plain.last) + step.byMs;
                const raised = positionOf(ms, positionSequence(plain.last) + step.bySequence);
                partition.raise(raised);
                plain.raise(raised);
              }
            }, LogUnavailable),
          );
          await Promise.all(applied);
          if (restart) partition = new Partition(mine, environment, memoryCharacters);

          const { last, cursor, length, appended } = partition;
          expect({ last, cursor, length, appended }).to.deep.equal({
            last: plain.last,
            cursor: plain.cursor,
            length: plain.entries.length,
            appended: plain.appended,
          });
          expect(partition.read(START, 1000)).to.deep.equal(plain.entries);
          const after = plain.entries[limit]?.position ?? START;
          const expected = plain.entries.filter(({ position }) => comparePositions(position, after) > 0);
          expect(partition.read(after, limit + 1)).to.deep.equal(expected.slice(0, limit + 1));
        }
      }),
      { numRuns: 100 },
    );
  });
});

import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import type { LogProvider } from '#runtime/ports/log-provider';
import { eventually } from '../../support/eventually.ts';

/** Files below `folder` that hold impressions for the log, of all edges. */
export async function spooledBelow(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true });
  return files.filter((name) => name.endsWith('.spool'));
}

/** Resolves when all spools are replayed and each message is handled. */
export async function waitUntilAtRest(
  log: LogProvider,
  partitions: number,
  spoolsBelow: string,
  timeoutMs = 90_000,
): Promise<void> {
  // One partition's rollup sends to another's ledgers: all are empty only if nothing was appended since the look
  // before.
  let appendedBefore = -1;
  await eventually(
    'spools to be replayed and every message to be handled',
    async () => {
      expect(await spooledBelow(spoolsBelow), 'spool files').to.deep.equal([]);
      let appended = 0;
      for (let partition = 0; partition < partitions; partition++) {
        const tail = await log.log.tail(partition);
        expect(tail.length, `partition ${partition}`).to.equal(0);
        appended += tail.appended;
      }
      const still = appended === appendedBefore;
      appendedBefore = appended;
      return still;
    },
    { timeoutMs, everyMs: 100 },
  );
}

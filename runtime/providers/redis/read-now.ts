import type { LogEntry } from '../../ports/log.ts';
import type { Position } from '../../ports/position.ts';
import type { Keys } from './keys.ts';
import { entriesOf } from './partition-reader.ts';
import type { Routes } from './routes.ts';

/** Reads the present entries without waiting, on the connection of commands; it may overlap a waiting read. */
export async function readNow(
  routes: Routes,
  keys: Keys,
  after: ReadonlyMap<number, Position>,
  limit: number,
): Promise<Map<number, LogEntry[]>> {
  const batches = new Map<number, LogEntry[]>();
  await Promise.all(
    [...after].map(async ([partition, position]) => {
      const stream = keys.stream(partition);
      const reply = await routes
        .of(stream)
        .runReplicated((commands) => commands.xread('COUNT', limit, 'STREAMS', stream, position));
      if (reply) batches.set(partition, entriesOf(reply[0]![1], position));
    }),
  );
  return batches;
}

import { pause, systemTimer } from '../../async/pause.ts';
import type { MessageLog } from '../../runtime/ports/log.ts';
import type { RelayedAppends, RelaySource } from '../../runtime/ports/relayed.ts';
import { CommandFailed, EXIT } from '../definition.ts';

/**
 * A log that was drained this short a time ago may still be sold into, ms. Relays tell each second, and alarms ring
 * after this.
 */
const SILENT_FOR_MS = 60_000;
/** Between two looks at a log that brings what it took long ago, ms: a relay sends or tells something each second. */
const LOOK_AGAIN_MS = 3_000;

interface HomeOfSources {
  readonly relayed: Pick<RelayedAppends, 'sources'>;
  readonly log: Pick<MessageLog, 'tail'>;
  readonly partitions: readonly number[];
}

/**
 * Asserts that nothing has come of a source within a minute, by the clocks of its log and of home's, and nothing comes
 * of it while this looks. A source that some partition has written off already is past that.
 * @throws CommandFailed when it is alive
 */
export async function assertSilent(home: HomeOfSources, name: string): Promise<void> {
  const first = await read(home, name);
  if (first.some(({ writtenOff }) => writtenOff !== null)) return;
  const { nowMs } = await home.log.tail(home.partitions[0]!);
  const silentMs = nowMs - Math.max(...first.map(({ throughMs }) => throughMs));
  if (silentMs < SILENT_FOR_MS) {
    throw isAlive(name, `it was heard of ${Math.max(0, Math.round(silentMs / 1_000))} seconds ago`);
  }
  await pause(systemTimer, LOOK_AGAIN_MS);
  const second = await read(home, name);
  const before = new Map(first.map((part) => [part.partition, part]));
  const isMoved = second.some(({ partition, position, throughMs }) => {
    const known = before.get(partition);
    return known?.position !== position || known.throughMs !== throughMs;
  });
  if (isMoved) throw isAlive(name, 'it brings impressions home now');
}

async function read({ relayed, partitions }: HomeOfSources, name: string) {
  const parts = await Promise.all(
    partitions.map(async (partition) => {
      const found = (await relayed.sources(partition)).filter(({ source }) => source === name);
      return found.map((one: RelaySource) => ({ ...one, partition }));
    }),
  );
  return parts.flat();
}

function isAlive(name: string, how: string): CommandFailed {
  return new CommandFailed(
    `${name} is alive: ${how}. What its edges sell would not be billed: stop them, and write it off when it was silent for a minute, or add --force.`,
    EXIT.refused,
    'CONFLICT',
  );
}

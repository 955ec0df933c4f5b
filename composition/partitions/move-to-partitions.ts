import { comparePositions, latestOf, type Position, positionOf } from '../../runtime/ports/position.ts';
import type { Repartitioning } from '../../runtime/ports/repartitioning.ts';
import type { MarkedPartition, StateStore } from '../../runtime/ports/store.ts';
import { MOST_PARTITIONS } from '../../settings/declared-settings.ts';
import { placesOfId } from './places-of-id.ts';

/** A log that moves, by the words in which people know it. */
export interface MovedLog {
  readonly name: string;
  readonly log: Repartitioning;
  /** The log's name in high-water marks; absent: the log with the money. */
  readonly marks?: string;
}

interface MoveDeps {
  /** In the order in which their numbers are written. The log with the money comes last. */
  readonly logs: readonly MovedLog[];
  readonly store: Pick<StateStore, 'highWater' | 'raiseHighWater'>;
  /** Writes a line for people. */
  readonly tell: (line: string) => void;
}

/** The result of a move. */
interface Moved {
  readonly from: number;
  readonly to: number;
  /** The number of ids that the logs remembered. */
  readonly ids: number;
}

/** The change was refused, and nothing that a start could see was changed. The message is a whole sentence. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused';
}

/**
 * Gives a stopped exchange more partitions (decision 0086). The number of partitions is written last, so that a run
 * that ends anywhere leaves an exchange that starts with the number that it had, and may be made again.
 * @throws {MoveRefused} when the exchange is not stopped, drained and without regions, or `to` is no greater number
 */
export async function moveToPartitions({ logs, store, tell }: MoveDeps, to: number): Promise<Moved> {
  if (!Number.isInteger(to) || to < 1 || to > MOST_PARTITIONS) {
    throw new MoveRefused(`The number of partitions is a whole number from 1 to ${MOST_PARTITIONS}.`);
  }
  const sized = await Promise.all(logs.map(async (one) => ({ ...one, from: await one.log.partitions() })));
  const used = sized.filter((one): one is MovedLog & { from: number } => one.from !== null);
  const ofMoney = sized.at(-1)!;
  if (ofMoney.from === null) throw new MoveRefused(`No exchange has used ${ofMoney.name}.`);
  for (const { name, from } of used) {
    if (from > to) throw new MoveRefused(`There are ${from} partitions in ${name}: they can become more, never fewer.`);
  }
  const moved = used.filter(({ from }) => from < to);
  if (moved.length === 0) throw new MoveRefused(`There are ${to} partitions already.`);
  for (const one of used) await assertStill(one);

  const position = await aboveAll(used, store, to);
  for (const { name, log } of moved) {
    await log.raise(to, position);
    tell(`Positions of ${name} go on above ${position}.`);
  }
  // Documents of any partition may belong to any other afterwards.
  for (const one of moved)
    for (const partition of partitionsOf(one, to)) await store.raiseHighWater({ ...partition, position });
  let ids = 0;
  for (const { name, log } of moved) {
    const copied = await log.copyIds(to, placesOfId);
    ids += copied;
    tell(`${copied} ids that ${name} remembers are where they will be looked for.`);
  }
  for (const one of moved) {
    await assertStill(one);
    const last = await one.log.highest(to);
    if (comparePositions(last, position) !== 0) {
      throw new MoveRefused(`A process has used ${one.name} meanwhile: stop it, and run this again.`);
    }
  }
  for (const { log } of moved) await log.settle(to);
  return { from: ofMoney.from, to, ids };
}

/** Asserts that no process has the log open, and that it is drained and takes nothing from regions. */
async function assertStill({ name, log }: MovedLog): Promise<void> {
  const users = await log.users();
  if (users.length > 0) {
    throw new MoveRefused(`The exchange is not stopped, by what ${name} knows: ${users.join(', ')}.`);
  }
  const undrained = await log.undrained();
  if (undrained.length > 0) {
    throw new MoveRefused(
      `Messages wait in ${undrained.length} partitions of ${name} (${undrained.slice(0, 5).join(', ')}${undrained.length > 5 ? ', …' : ''}): let processes with actors handle them, and stop those in order.`,
    );
  }
  const sources = await log.openSources();
  if (sources.length > 0) {
    throw new MoveRefused(
      `Regions bring impressions to ${name}, by its partitions: drain and write off ${sources.join(', ')} first (docs/operations/more-partitions.md).`,
    );
  }
}

/**
 * A position that is not below any that a partition has assigned or a saved state may reflect, nor in the past of any
 * server: what the ledgers are complete up to stays in the past of all partitions.
 */
async function aboveAll(
  logs: readonly MovedLog[],
  store: Pick<StateStore, 'highWater'>,
  to: number,
): Promise<Position> {
  const positions: Position[] = [];
  for (const one of logs) {
    positions.push(await one.log.highest(to), positionOf(await one.log.nowMs(to), 0));
    for (const partition of partitionsOf(one, to)) positions.push(await store.highWater(partition));
  }
  return latestOf(positions);
}

/** The first partitions of a log, as the store knows them. */
function partitionsOf({ marks }: MovedLog, count: number): MarkedPartition[] {
  const of = marks === undefined ? {} : { log: marks };
  return Array.from({ length: count }, (_, partition) => ({ partition, ...of }));
}

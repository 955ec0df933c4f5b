import { failed, type Row, skipped } from '../row.ts';
import { runningRows } from './node/rows.ts';
import { runNode } from './node/running-node.ts';
import { targetRows } from './target-rows.ts';
import { measuredUnits, unitRows } from './units/rows.ts';
import { wireRows } from './wire/rows.ts';

const SEED = 'scale';
const PARTITIONS = 1;

/**
 * What a market of the target's shape costs: the parts by themselves, bytes on the wire, then a node that has some of
 * its partitions, each loaded as it would be at the target.
 */
export async function scaleRows(redisUrl: string | null, mongodbUrl: string | null, minutes: number): Promise<Row[]> {
  const units = await measuredUnits(SEED);
  const rows = [...unitRows(units), ...targetRows(units), ...(await wireRows())];
  const what = 'a node with some partitions of the target';
  if (!redisUrl) return [...rows, skipped(what, 'Redis')];
  try {
    const run = await runNode({ redisUrl, mongodbUrl, seed: SEED }, PARTITIONS, minutes * 60);
    return [...rows, ...runningRows(run, units)];
  } catch (error) {
    return [...rows, failed(what, error)];
  }
}

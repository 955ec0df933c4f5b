import { perSecond, type Row } from '../../row.ts';
import { percentile } from '../../statistics.ts';
import { TARGET } from '../target.ts';
import type { Units } from '../units/measure.ts';
import { reported, size } from '../units/rows.ts';
import type { RunningNode } from './running-node.ts';

/** The counts of a running node, and what they come to at the target. */
export function runningRows(run: RunningNode, units: Units): Row[] {
  const { partitions, seconds, impressions, node, lagsMs } = run;
  const of = `node with ${partitions} of ${TARGET.partitions} partitions`;
  const each = (count: number) => count / seconds / partitions;
  const handled = (kind: string) => sum(node.handled.filter((one) => one.kind === kind).map(({ count }) => count));
  const parked = sum(node.handled.filter(({ outcome }) => outcome === 'parked').map(({ count }) => count));
  const appended = sum(node.log.appended.map(([, count]) => count));
  const documents = sum(node.kinds.map(([, { documents: saved }]) => saved));
  const commands = sum(run.redis.calls.map(([, calls]) => calls));
  const most = run.redis.calls.slice(0, 5).map(([name, calls]) => `${name} ${Math.round(each(calls))}`);
  const thousands = handled('tally') / 1_000;
  const saved = node.kinds.map(([kind, counts]) => {
    const bytes = counts.bsonBytes / counts.sampled;
    return { kind, perSecond: each(counts.documents), bytes, atMidHour: midHourBytes(kind, units) ?? bytes };
  });
  const shown = saved.map((kind) => `${kind.kind} ${Math.round(kind.perSecond)} of ${size(kind.bytes)}`);
  const rows = [
    reported(`${of}: impressions, for each partition`, `${perSecond(each(impressions))}, ${parked} parked`),
    reported(
      `${of}: log, for each partition`,
      `${perSecond(each(appended))} entries written to ledgers and feeds in ${perSecond(each(node.log.appends))} appends, ${size(each(node.log.appendedCharacters))}/s; ${perSecond(each(node.log.read))} read, ${size(each(node.log.readCharacters))}/s`,
    ),
    reported(
      `${of}: messages handled, for each partition`,
      `${perSecond(each(handled('tally')))} impressions, ${perSecond(each(handled('ledger')))} totals, ${perSecond(each(handled('feed-page')))} to feeds`,
    ),
    reported(
      `${of}: documents saved, for each partition`,
      `${perSecond(each(documents))} in ${each(node.saves).toFixed(2)} saves/s; ${shown.join(', ')}`,
    ),
    reported(
      `${of}: Redis, for each partition`,
      `${perSecond(each(commands))} commands (${most.join(', ')}), ${(run.redis.cpuMicros / thousands / 1e6).toFixed(3)} s of CPU for 1,000 impressions`,
    ),
    reported(
      `${of}: CPU of the process`,
      `${(run.cpuMicros / thousands / 1e6).toFixed(2)} s for 1,000 impressions, ${((run.cpuMicros / seconds / 1e6) * 100).toFixed(0)}% of a core; ${size(run.residentBytes)} resident`,
    ),
    lagRow(of, run),
  ];
  const total = TARGET.partitions;
  const bytesNow = sum(saved.map((kind) => kind.perSecond * kind.bytes)) * total;
  const bytesMidHour = sum(saved.map((kind) => kind.perSecond * kind.atMidHour)) * total;
  const cores = (run.cpuMicros / seconds / partitions / 1e6) * total;
  const entries = each(node.log.read - handled('tally')) * total;
  return [
    ...rows,
    reported(
      'computed for the target: totals',
      `${perSecond(each(handled('ledger')) * total)} in ${perSecond(entries)} entries, without the platform's and what other partitions tell feeds`,
    ),
    reported('computed for the target: documents', perSecond(each(documents) * total)),
    reported(
      'computed for the target: bytes of documents (BSON)',
      `${size(bytesNow)}/s as in this run, ${size(bytesMidHour)}/s in the middle of an hour`,
    ),
    reported(
      'computed for the target: cores of actor nodes',
      `${cores.toFixed(1)}, ${lagsMs.length} impressions followed`,
    ),
  ];
}

function lagRow(of: string, { lagsMs, unsaved, backlog }: RunningNode): Row {
  const what = `${of}: from the append of an impression to the saved ledger`;
  if (lagsMs.length === 0) return reported(what, `none of ${unsaved} was saved`);
  const figure = `p50 ${(percentile(lagsMs, 0.5) / 1_000).toFixed(1)} s, most ${(percentile(lagsMs, 1) / 1_000).toFixed(1)} s`;
  return reported(what, `${figure}; ${unsaved} of ${lagsMs.length + unsaved} not saved, ${backlog} entries waiting`);
}

/** The size of a ledger after half an hour at the target's rate, where it was measured. */
function midHourBytes(kind: string, { ledgers, rollups }: Units): number | undefined {
  if (kind === 'tally') return rollups[0]!.document.bson.bytes / 2;
  return ledgers.find(({ scope }) => kind === `ledger/${scope}`)?.middle.bson.bytes;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

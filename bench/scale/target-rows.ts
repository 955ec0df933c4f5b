import { perSecond, type Row } from '../row.ts';
import { TARGET } from './target.ts';
import type { LedgerUnits, Units } from './units/measure.ts';
import { reported, size } from './units/rows.ts';

const OWNERS: Readonly<Record<string, number>> = {
  publisher: TARGET.publishers,
  dsp: TARGET.dsps,
  campaign: TARGET.campaigns,
};

/**
 * What the unit costs come to at the target, computed: each owner sells at the mean rate, at random, and its ledger is
 * saved in each save turn in which it was told anything. Without accounts, the platform, feeds and facts.
 */
export function targetRows({ rollups, ledgers }: Units): Row[] {
  return rollups.flatMap((rollup) => {
    const { turnSeconds } = rollup;
    const of = ledgers.filter((units) => units.turnSeconds === turnSeconds);
    const turnsPerSecond = TARGET.partitions / turnSeconds;
    const documents = of.map(savedPerSecond);
    const minutes = of.map(({ scope, minutes: left }) => (OWNERS[scope]! * left.batches) / 3_600);
    // A document of minutes grows through the hour.
    const bytes = of.map(
      (units, index) =>
        documents[index]! * units.middle.bson.bytes + (minutes[index]! * units.minutes.end.bson.bytes) / 2,
    );
    // A rollup grows through the minute.
    const rollupBytes = (turnsPerSecond * rollup.document.bson.bytes) / 2;
    const cpuMicros = [
      ...of.map((units, index) => {
        const added = OWNERS[units.scope]! * units.totalsPerSecond * units.addMicros;
        const left = (minutes[index]! * units.minutes.end.bson.encodeMicros) / 2;
        return added + documents[index]! * units.middle.bson.encodeMicros + left;
      }),
      TARGET.impressionsPerSecond * rollup.foldMicros,
      turnsPerSecond * (rollup.totalsMicros + rollup.envelopeMicros + rollup.document.bson.encodeMicros / 2),
    ];
    const totals = of.map((units) => OWNERS[units.scope]! * units.totalsPerSecond);
    const shown = of.map(({ scope }, index) => `${scope} ${Math.round(documents[index]!)}`);
    const what = `computed for the target, turns of ${turnSeconds} s`;
    return [
      reported(`${what}: totals`, perSecond(sum(totals))),
      reported(
        `${what}: documents`,
        `${perSecond(sum(documents) + sum(minutes) + turnsPerSecond)} (${shown.join(', ')}, minutes ${Math.round(sum(minutes))}, the rest rollups)`,
      ),
      reported(`${what}: bytes of documents, in the middle of an hour`, `${size(sum(bytes) + rollupBytes)}/s`),
      reported(`${what}: cores to fold, tell, add and write BSON`, (sum(cpuMicros) / 1e6).toFixed(1)),
    ];
  });
}

function savedPerSecond({ scope, perSecond: rate, turnSeconds }: LedgerUnits): number {
  return (OWNERS[scope]! * (1 - Math.exp(-rate * turnSeconds))) / turnSeconds;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

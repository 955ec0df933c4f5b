import { startChild } from '../../processes/child.ts';
import { MEASURED_CORE } from '../../processes/cores.ts';
import { megabytes, micros, millis, type Row } from '../../row.ts';
import { PER_PARTITION } from '../target.ts';
import type { Encodings } from './encodings.ts';
import type { DayUnits, LedgerUnits, RollupUnits, Units } from './measure.ts';

/** Measures the unit costs in a process of their own, on the measured core. */
export async function measuredUnits(seed: string): Promise<Units> {
  const child = startChild<Units>(MEASURED_CORE, 'scale/units/units-process.js', { seed });
  try {
    return await child.next();
  } finally {
    await child.stop();
  }
}

export function unitRows({ rollups, ledgers, days }: Units): Row[] {
  return [...rollups.flatMap(rollupRows), ...ledgers.flatMap(ledgerRows), ...days.map(dayRow)];
}

/** A figure that is reported and has no target. */
export function reported(what: string, figure: string): Row {
  return { what, figure, floor: '', ratio: '', target: 'report', reached: null };
}

export function size(bytes: number): string {
  return bytes < 1_048_576 ? `${(bytes / 1024).toFixed(1)} KB` : megabytes(bytes);
}

function duration(ofMicros: number): string {
  return ofMicros < 1_000 ? micros(ofMicros) : millis(ofMicros / 1_000);
}

function rollupRows(units: RollupUnits): Row[] {
  const of = `rollup at ${Math.round(PER_PARTITION)} impressions/s, turns of ${units.turnSeconds} s`;
  const totals = `${Math.round(units.totalsPerTurn)} totals of ${Math.round(units.bytesPerTotals)} bytes`;
  return [
    reported(`${of}: an impression folded`, duration(units.foldMicros)),
    reported(
      `${of}: no room`,
      `${share(units.parkedShare)} of impressions parked, creatives of ${share(units.unnamedShare)} not named`,
    ),
    reported(
      `${of}: what a turn of ${Math.round(units.impressionsPerTurn)} impressions tells`,
      `${duration(units.totalsMicros)} + ${duration(units.envelopeMicros)} to write ${totals} and ${Math.round(units.feedRowsPerTurn)} for feeds`,
    ),
    reported(`${of}: document at the end of a minute`, encoded(units.document)),
  ];
}

function ledgerRows(units: LedgerUnits): Row[] {
  const { scope, perSecond, turnSeconds, minutes } = units;
  const of = `ledger of a ${scope}'s hour at ${perSecond}/s, turns of ${turnSeconds} s`;
  return [
    reported(`${of}: totals added`, `${duration(units.addMicros)}, ${units.totalsPerSecond.toFixed(2)}/s of them`),
    reported(`${of}: document after half the hour`, encoded(units.middle)),
    reported(`${of}: document at its end`, encoded(units.end)),
    reported(`${of}: minutes that have left in ${minutes.batches} batches`, encoded(minutes.end)),
  ];
}

function dayRow({ scope, fileMicros, hourBytes, document }: DayUnits): Row {
  const filed = `an hour of ${size(hourBytes)} filed in ${duration(fileMicros)}`;
  return reported(`ledger of a ${scope}'s day with 24 hours`, `${encoded(document)}; ${filed}`);
}

function encoded({ json, bson }: Encodings): string {
  const one = (name: string, { bytes, encodeMicros, decodeMicros }: Encodings['json']) =>
    `${name} ${size(bytes)}, written in ${duration(encodeMicros)}, read in ${duration(decodeMicros)}`;
  return `${one('JSON', json)}; ${one('BSON', bson)}`;
}

function share(part: number): string {
  return `${(part * 100).toFixed(part > 0 && part < 0.01 ? 2 : 0)}%`;
}

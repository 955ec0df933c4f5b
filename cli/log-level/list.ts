import { withClient } from '../api/connect.ts';
import type { Run } from '../definition.ts';
import { tableOf } from '../table.ts';
import { styled } from '../terminal.ts';
import { type LogLevelHour, type RangeOptions, readHours } from './read-hours.ts';

const COLUMNS = ['hour', 'complete', 'impressions', 'price_nanos', 'files', 'rows', 'bytes'];

export const run: Run<RangeOptions> = ({ args: [id], options }) =>
  withClient(options, async (client) => {
    const { hours } = await readHours(client, id!, options, Date.now());
    const text = hours.length === 0 ? styled('dim', 'No hour is written.\n') : tableOf(COLUMNS, hours.map(rowOf));
    return { json: { hours }, text };
  });

function rowOf({ hour, complete, logged, files }: LogLevelHour): unknown[] {
  const sum = (field: 'rows' | 'bytes') => files.reduce((total, file) => total + file[field], 0);
  return [hour, complete, logged.impressions, logged.price_nanos, files.length, sum('rows'), sum('bytes')];
}

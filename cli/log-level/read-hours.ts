import type { ExchangeClient } from '#client/index';
import { HOUR_MS } from '../../gateways/log-level-data/hour.ts';
import type { LogEvent } from '../../gateways/log-level-data/layout.ts';
import type { CallerOptions } from '../api/connect.ts';
import { CommandFailed, EXIT } from '../definition.ts';
import { type EitherSide, ofEitherSide } from '../either-side.ts';
import type { WantedFile } from './store-file.ts';

type PublisherList = '/api/supply/sources/{id}/log-level-data';
type DemandList = '/api/demand/sources/{id}/log-level-data';
/** The path of the list of a publisher, or of a demand source. */
export type ListPath = PublisherList | DemandList;

const DEFAULT_HOURS = 24;
/** The hours that the exchange lists at once. */
const HOURS_AT_ONCE = 168;

const LISTS: EitherSide<PublisherList, DemandList> = {
  ofPublisher: '/api/supply/sources/{id}/log-level-data',
  ofDemand: '/api/demand/sources/{id}/log-level-data',
};

export interface RangeOptions extends CallerOptions {
  readonly from?: string;
  readonly to?: string;
}

/** A file of the list. */
export interface LogLevelFile extends WantedFile {
  readonly event: LogEvent;
  readonly file: string;
  readonly rows: number;
}

export interface LogLevelHour {
  readonly hour: string;
  readonly complete: boolean;
  readonly logged: { readonly impressions: number; readonly price_nanos: string };
  readonly files: readonly LogLevelFile[];
}

export interface LogLevelHours {
  readonly path: ListPath;
  readonly hours: readonly LogLevelHour[];
}

interface ListAnswer extends LogLevelHours {
  readonly enabled: boolean;
}

/**
 * The written hours of a range of any length, the oldest first.
 * @throws CommandFailed for a range that is none, or where no log-level data are written
 */
export async function readHours(
  client: ExchangeClient,
  id: string,
  { from, to }: RangeOptions,
  nowMs: number,
): Promise<LogLevelHours> {
  const toMs = to === undefined ? nowMs : timeOf('--to', to);
  const fromMs = from === undefined ? toMs - DEFAULT_HOURS * HOUR_MS : timeOf('--from', from);
  if (fromMs >= toMs) throw new CommandFailed('--from must be before --to.', EXIT.misuse, 'INVALID_RANGE');
  let known: ListPath | null = null;
  const hours: LogLevelHour[] = [];
  for (let startMs = fromMs; startMs < toMs; startMs += HOURS_AT_ONCE * HOUR_MS) {
    const endMs = Math.min(toMs, startMs + HOURS_AT_ONCE * HOUR_MS);
    const query = { from: new Date(startMs).toISOString(), to: new Date(endMs).toISOString() };
    const read = async (path: ListPath): Promise<ListAnswer> => {
      const { data } = await client.get(path, { params: { path: { id }, query } });
      return { path, ...data };
    };
    const answer: ListAnswer = known === null ? await ofEitherSide(LISTS, read) : await read(known);
    known = answer.path;
    if (!answer.enabled)
      throw new CommandFailed('This exchange writes no log-level data.', EXIT.refused, 'LOG_LEVEL_DATA_OFF');
    hours.push(...answer.hours);
  }
  return { path: known!, hours };
}

function timeOf(option: string, text: string): number {
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs))
    throw new CommandFailed(`${option} is no time: ${text}. 2026-03-14T12:00:00Z is one.`, EXIT.misuse, 'INVALID_TIME');
  return atMs;
}

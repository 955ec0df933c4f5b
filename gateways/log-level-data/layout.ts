import type { Hour } from './hour.ts';

/** A side of a trade: the party that a file is for. */
export type Side = 'publisher' | 'dsp';

/** The events of the log, in the order in which manifests name them. */
export const EVENTS = ['impressions', 'wins', 'views', 'auctions', 'invalid_traffic', 'adjustments'] as const;
export type LogEvent = (typeof EVENTS)[number];

/** The files of one event, side and source in one hour. */
export interface Partition {
  readonly event: LogEvent;
  readonly side: Side;
  /** The id of the publisher or the demand source. */
  readonly id: string;
}

/** The version of the layout and of the rows; a change that a reader would have to know of raises it. */
const ROOT = 'log-level/v1';

/**
 * The folders below which there is one folder `dt=<day>` for each day, in the order of deletion: what names files goes
 * before them, as it comes after them when they are written.
 */
export const DATED_FOLDERS: readonly string[] = ['hours', 'manifests', ...EVENTS].map((name) => `${ROOT}/${name}`);

export function dataFile({ event, side, id }: Partition, hour: Hour, part: number): string {
  return `${ROOT}/${event}/${folderOf(hour)}/${side}=${encodeURIComponent(id)}/${partFile(part)}`;
}

export function partFile(part: number): string {
  return `part-${String(part).padStart(5, '0')}.ndjson.gz`;
}

/** The manifest of one source: it names its files of the hour. */
export function sourceManifestFile(side: Side, id: string, hour: Hour): string {
  return `${ROOT}/manifests/${folderOf(hour)}/${side}=${encodeURIComponent(id)}.json`;
}

/** The manifest of a whole hour, which is written last. */
export function hourManifestFile(hour: Hour): string {
  return `${hoursFolder(hour)}/${hourManifestName(hour)}`;
}

/** The folder of the manifests of all hours of the hour's day. */
export function hoursFolder({ day }: Hour): string {
  return `${ROOT}/hours/dt=${day}`;
}

/** The name of an hour's manifest within the folder of its day. */
export function hourManifestName({ hour }: Hour): string {
  return `hour=${hour}.json`;
}

function folderOf({ day, hour }: Hour): string {
  return `dt=${day}/hour=${hour}`;
}

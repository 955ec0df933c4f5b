import Type, { type Static } from 'typebox';
import { ApiError } from '#gateways/errors';
import { type Hour, hourOf } from '#gateways/log-level-data/hour';
import { EVENTS } from '#gateways/log-level-data/layout';
import type { ManagementDeps } from '../../deps.ts';
import { type FileAnswer, fileSchema } from '../../routing/file-answer.ts';
import type { LogLevelSource } from './hours.ts';
import { readable } from './readable.ts';

const GZIP = 'application/gzip';

/** The path of a file below that of the list of hours. */
export const FILE_PATH = '/files/:event/:hour/:file';

/** The parameters of a path that name a file. */
export const fileParams = {
  event: Type.Enum([...EVENTS], { description: 'The event, as the list has it.' }),
  hour: Type.String({ maxLength: 13, examples: ['2026-03-14T12'], description: 'Day and hour, UTC: `2026-03-14T12`.' }),
  file: Type.String({ maxLength: 40, examples: ['part-00000.ndjson.gz'], description: '`file` of the list.' }),
};

/** The answer of a download. */
export const fileAnswer = {
  status: 200,
  file: GZIP,
  schema: fileSchema('LogLevelData', GZIP, 'NDJSON, one row a line; gzip of several members (RFC 1952).'),
} as const;

export const downloadDescription =
  'The bytes whose hash and length the list has, as they are stored: `application/gzip`, and no `Content-Encoding`, so that clients save the file as it is. Its tag is its hash. Only files that the manifest of the source names exist; 503 when the destination fails, or too many files are being downloaded at once.';

/**
 * One file of a source.
 *
 * @throws ApiError NOT_FOUND for all that the source's manifest does not name, SERVICE_UNAVAILABLE when the destination
 *   fails
 */
export async function openLogLevelFile(
  { logLevelData, logger }: ManagementDeps,
  { side, id, sandboxOnly }: LogLevelSource,
  { event, hour: named, file }: Static<ReturnType<typeof Type.Object<typeof fileParams>>>,
): Promise<FileAnswer> {
  const hour = readHour(named);
  const found =
    logLevelData === null || sandboxOnly || hour === null
      ? null
      : await readable(logger, () => logLevelData.file(side, id, hour, event, file));
  if (found === null) throw new ApiError('NOT_FOUND', 'There is no such file of log-level data.');
  const { bytes, sha256, read } = found;
  return { name: `${event}-${named}-${file}`, bytes, sha256, read: () => readable(logger, read) };
}

/** Null where the text is no hour in the one form that the list writes. */
function readHour(text: string): Hour | null {
  const startMs = Date.parse(`${text}:00:00.000Z`);
  if (Number.isNaN(startMs)) return null;
  const hour = hourOf(startMs);
  return `${hour.day}T${hour.hour}` === text ? hour : null;
}

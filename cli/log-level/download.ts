import { resolve } from 'node:path';
import type { ExchangeClient } from '#client/index';
import { mapLimit } from '../../async/map-limit.ts';
import { withClient } from '../api/connect.ts';
import { EXIT, type Run } from '../definition.ts';
import { type ListPath, type LogLevelFile, type LogLevelHour, type RangeOptions, readHours } from './read-hours.ts';
import { hasFile, storeFile } from './store-file.ts';

interface Options extends RangeOptions {
  readonly event?: readonly string[];
  readonly folder: string;
}

const DOWNLOADS_AT_ONCE = 4;
/** A file has some megabytes. */
const DOWNLOAD_MS = 120_000;

export const run: Run<Options> = ({ args: [id], options, tell }) =>
  withClient(options, async (client) => {
    const folder = resolve(options.folder);
    const { path, hours } = await readHours(client, id!, options, Date.now());
    let bytes = 0;
    let downloaded = 0;
    const wanted = hours.flatMap((hour) => filesOf(hour, options.event));
    await mapLimit(wanted, DOWNLOADS_AT_ONCE, async (file) => {
      if (await hasFile(folder, file)) return;
      await storeFile(folder, file, await fetchFile(client, path, id!, file));
      bytes += file.bytes;
      downloaded += 1;
      tell(file.path);
    });
    const incomplete = hours.filter(({ complete }) => !complete).map(({ hour }) => hour);
    const there = wanted.length - downloaded;
    const differing = incomplete.map((hour) => `${hour} differs from the ledger: see exchange log-level list.\n`);
    return {
      json: { folder, hours: hours.length, downloaded, bytes, already_there: there, incomplete_hours: incomplete },
      text: `${hours.length} hours: ${downloaded} files downloaded, ${bytes} bytes; ${there} were there.\n${differing.join('')}`,
      exitCode: incomplete.length === 0 ? EXIT.done : EXIT.refused,
    };
  });

interface HourFile extends LogLevelFile {
  readonly hour: string;
}

function filesOf({ hour, files }: LogLevelHour, events: readonly string[] | undefined): HourFile[] {
  return files
    .filter(({ event }) => events === undefined || events.includes(event))
    .map((file) => ({ ...file, hour: hour.slice(0, 13) }));
}

async function fetchFile(client: ExchangeClient, list: ListPath, id: string, wanted: HourFile): Promise<Buffer> {
  const { event, hour, file } = wanted;
  const { data } = await client.file(`${list}/files/{event}/{hour}/{file}`, {
    params: { path: { id, event, hour, file } },
    timeoutMs: DOWNLOAD_MS,
  });
  return Buffer.from(data);
}

import { existsSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { writtenFolders } from '#composition/assert-writable';
import type { Check } from '../check.ts';
import { type Finding, fail, ok, warn } from '../finding.ts';

const GIB = 1024 ** 3;
/** Below this a day of spooled impressions and a rewrite of the log may not fit. */
const LOW_BYTES = 5 * GIB;
const NONE_BYTES = GIB / 4;

/** Whether the folders that this process writes to can be written, and how much room their disks have. */
export const folders: Check = {
  name: 'folders',
  find: (settings) => Promise.all(writtenFolders(settings).map(([setting, folder]) => look(setting, folder))),
};

async function look(setting: string, folder: string): Promise<Finding> {
  const there = nearestThere(folder);
  const which = `${folder} (${setting})`;
  try {
    await access(there, constants.W_OK | constants.X_OK);
  } catch (error) {
    const found = `${which} cannot be written: ${(error as Error).message}`;
    return fail(
      found,
      'no process starts',
      `give the user of the exchange ${there}, or set ${setting} to another folder`,
    );
  }
  const { bavail, bsize } = await statfs(there);
  const free = bavail * bsize;
  const room = `${which} has ${(free / GIB).toFixed(1)} GiB free`;
  if (free < NONE_BYTES) {
    return fail(room, 'impressions are refused when the disk is full', 'make room, or use a larger disk');
  }
  if (free < LOW_BYTES)
    return warn(room, 'the log and its spool grow with the traffic', 'make room, or use a larger disk');
  return ok(there === resolve(folder) ? room : `${room}; the first start makes it`);
}

/** The folder, or where it is not there the nearest one above it. */
function nearestThere(folder: string): string {
  let path = resolve(folder);
  while (!existsSync(path)) path = dirname(path);
  return path;
}

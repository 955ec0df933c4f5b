import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ActorDocument } from '../../runtime/ports/store.ts';
import { makeFolder, sync } from '../../runtime/sync-to-disk.ts';

/** The fields of an actor that an archive keeps, one line of JSON each. */
export type ArchivedActor = Pick<ActorDocument, 'kind' | 'id' | 'version' | 'position' | 'schema' | 'state'>;

/** The suffix of a file that is not whole yet, or that a run left when it was cut short. */
const PARTIAL = '.partial';

/**
 * Writes gzipped NDJSON as `<folder>/<name>.ndjson.gz`, or as `<name>.2.ndjson.gz` and so on where the name is taken:
 * no archive is ever overwritten. Resolves with the file's name once the file is whole and durable: synced, and under
 * its name in a synced folder. Until then, and after any failure, no such file exists.
 *
 * Another process, one that stood still for longer than it may, may write the same archive in the same folder. Each
 * process writes a file of its own; the first that is whole removes what the other has begun, so that the other fails.
 */
export async function writeArchive(
  folder: string,
  name: string,
  actors: AsyncIterable<ArchivedActor>,
  signal: AbortSignal,
): Promise<string> {
  await makeFolder(folder);
  const partial = join(folder, `${name}.${randomUUID()}${PARTIAL}`);
  try {
    await pipeline(Readable.from(lines(actors)), createGzip(), createWriteStream(partial, { flags: 'wx' }), { signal });
    await sync(partial);
    const file = await linkToFreeName(partial, folder, name);
    const begun = (await readdir(folder)).filter((one) => one.startsWith(`${name}.`) && one.endsWith(PARTIAL));
    for (const one of begun) await rm(join(folder, one), { force: true });
    await sync(folder);
    return file;
  } finally {
    await rm(partial, { force: true });
  }
}

async function* lines(actors: AsyncIterable<ArchivedActor>): AsyncIterable<string> {
  for await (const { kind, id, version, position, schema, state } of actors) {
    yield `${JSON.stringify({ kind, id, version, position, schema, state })}\n`;
  }
}

/** A link fails where a file of that name exists, whichever process has made it meanwhile. */
async function linkToFreeName(partial: string, folder: string, name: string): Promise<string> {
  for (let part = 1; ; part += 1) {
    const file = `${name}${part === 1 ? '' : `.${part}`}.ndjson.gz`;
    try {
      await link(partial, join(folder, file));
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

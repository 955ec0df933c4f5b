import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { sync } from '../../runtime/disk/sync.ts';
import type { ActorDocument } from '../../runtime/ports/store.ts';

/** What an archive keeps of an actor, a line of JSON each. */
export type ArchivedActor = Pick<ActorDocument, 'kind' | 'id' | 'version' | 'position' | 'schema' | 'state'>;

/** A file that was begun and is not whole: of a run that was cut short. */
const PARTIAL = '.partial';

/**
 * Writes gzipped NDJSON as `<folder>/<name>.ndjson.gz`, or `<name>.2.ndjson.gz` and so on where there is one: nothing that was
 * archived is written over. Resolves with the file's name once it is whole and durable: synced, and under its name in a synced
 * folder. Until then, and whenever it fails, there is no such file.
 *
 * Another process may be at the same in the same folder, one that stood still for longer than it may: each writes a file of its
 * own, and who is whole first takes away what the other has begun, so that it fails.
 */
export async function writeArchive(
  folder: string,
  name: string,
  actors: AsyncIterable<ArchivedActor>,
  signal: AbortSignal,
): Promise<string> {
  await mkdir(folder, { recursive: true });
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

/** A link fails where there is a file of that name already, whoever has made it meanwhile. */
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

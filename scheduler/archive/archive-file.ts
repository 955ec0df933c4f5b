import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ActorDocument } from '../../runtime/ports/store.ts';

/** What an archive keeps of an actor, a line of JSON each. */
export type ArchivedActor = Pick<ActorDocument, 'kind' | 'id' | 'version' | 'position' | 'schema' | 'state'>;

/** A file that was begun and is not whole: of a run that was cut short. */
const PARTIAL = '.partial';

/**
 * Writes gzipped NDJSON as `<folder>/<name>.ndjson.gz`, or `<name>.2.ndjson.gz` and so on where there is one: nothing that was
 * archived is written over. Resolves with the file's name once it is whole and durable: synced, and under its name in a synced
 * folder. Until then, and whenever it fails, there is no such file.
 */
export async function writeArchive(
  folder: string,
  name: string,
  actors: AsyncIterable<ArchivedActor>,
  signal: AbortSignal,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const partial = join(folder, `${name}${PARTIAL}`);
  try {
    await pipeline(Readable.from(lines(actors)), createGzip(), createWriteStream(partial), { signal });
    await sync(partial);
    const file = await freeName(folder, name);
    await rename(partial, join(folder, file));
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

async function freeName(folder: string, name: string): Promise<string> {
  const taken = new Set(await readdir(folder));
  for (let part = 1; ; part += 1) {
    const file = `${name}${part === 1 ? '' : `.${part}`}.ndjson.gz`;
    if (!taken.has(file)) return file;
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

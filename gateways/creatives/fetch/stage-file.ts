import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Random } from '#runtime/ports/random';
import { SPACE_CHECK_BYTES } from '../quota/free-space.ts';
import { CreativeStorageUnavailable } from '../storage/creative-storage.ts';
import { tooLarge } from './read-bytes.ts';

/** A file in the staging folder, which no other process knows of yet. */
export interface StagedFile {
  readonly path: string;
  /** The SHA-256 of the bytes, in hex. */
  readonly sha256: string;
  readonly bytes: number;
}

interface StagingOptions {
  readonly folder: string;
  readonly most: number;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Rejects when the disk has no room for more; called once per 8 MiB. */
  readonly checkSpace: () => Promise<void>;
}

/**
 * Writes a body to a new file in `folder` and hashes it on the way; the body is never held in memory. A failed transfer
 * leaves no file.
 */
export async function stageFile(
  body: Readable,
  { folder, most, random, signal, checkSpace }: StagingOptions,
): Promise<StagedFile> {
  const path = join(folder, random.id());
  const hash = createHash('sha256');
  let bytes = 0;
  let checkAt = SPACE_CHECK_BYTES;
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      if (bytes > most) done(tooLarge(most));
      else if (bytes < checkAt) done(null, chunk);
      else {
        checkAt = bytes + SPACE_CHECK_BYTES;
        checkSpace().then(() => done(null, chunk), done);
      }
    },
  });
  try {
    await pipeline(body, measured, createWriteStream(path, { flags: 'wx' }), { signal });
    return { path, sha256: hash.digest('hex'), bytes };
  } catch (error) {
    await rm(path, { force: true });
    // A full disk is a failure of the storage, not of the server that sent the file.
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === 'open' || syscall === 'write') throw new CreativeStorageUnavailable(message, { cause: error });
    throw error;
  }
}

import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { makeFolder, sync } from '../../runtime/sync-to-disk.ts';
import { CommandFailed, EXIT } from '../definition.ts';

/** A file as the list has it. */
export interface WantedFile {
  /** Its name below the folder. */
  readonly path: string;
  readonly bytes: number;
  /** Of its bytes, hexadecimal. */
  readonly sha256: string;
}

/** Whether the file is there with the bytes that the list says. */
export async function hasFile(folder: string, file: WantedFile): Promise<boolean> {
  try {
    return isWhole(file, await readFile(placeOf(folder, file)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Stores the bytes of a file under its name, durably: it is there whole or not at all.
 * @throws CommandFailed when they are not the bytes that the list says, or its name leads out of the folder
 */
export async function storeFile(folder: string, file: WantedFile, bytes: Buffer): Promise<void> {
  const place = placeOf(folder, file);
  if (!isWhole(file, bytes)) {
    const sentence = `${file.path} has ${bytes.length} bytes that are not those of the list: run it again.`;
    throw new CommandFailed(sentence, EXIT.unavailable, 'FILE_DIFFERS');
  }
  await makeFolder(dirname(place));
  const part = `${place}.${randomUUID()}.part`;
  try {
    await writeFile(part, bytes, { flag: 'wx' });
    await sync(part);
    await rename(part, place);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await sync(dirname(place));
}

function placeOf(folder: string, { path }: WantedFile): string {
  const place = resolve(folder, path);
  const inside = folder.endsWith(sep) ? folder : `${folder}${sep}`;
  if (place.startsWith(inside)) return place;
  throw new CommandFailed(`The name of a file leads out of the folder: ${path}`, EXIT.refused, 'UNSAFE_NAME');
}

function isWhole({ bytes, sha256 }: WantedFile, content: Buffer): boolean {
  return content.length === bytes && createHash('sha256').update(content).digest('hex') === sha256;
}

import type { Readable } from 'node:stream';
import { CreativeRefused } from './failures.ts';

/** Reads a body to its end. It is refused as soon as it is longer than `most` bytes. */
export async function readBytes(body: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function tooLarge(most: number): CreativeRefused {
  return new CreativeRefused(`leads to more than ${Math.floor(most / 1024 / 1024)} MB`, 'length');
}

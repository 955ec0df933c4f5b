import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import mediaInfoFactory from 'mediainfo.js';
import type { ThreadAnswer, ThreadQuestion } from '../bounded-thread.ts';
import { type ProbeResult, probeFile } from './probe-file.ts';

/** MediaInfo runs in this worker thread because it parses for tens of milliseconds at a stretch. */
const mediaInfo = mediaInfoFactory({ format: 'object', full: false });

parentPort?.on('message', async ({ id, question: path }: ThreadQuestion<string>) => {
  parentPort?.postMessage({
    id,
    answer: await probeFile(path, reportOn).catch(() => null),
  } satisfies ThreadAnswer<ProbeResult>);
});

async function reportOn(path: string): Promise<unknown> {
  const file = openSync(path, 'r');
  try {
    const read = (length: number, offset: number) => {
      const chunk = new Uint8Array(length);
      return chunk.subarray(0, readSync(file, chunk, 0, length, offset));
    };
    return await (await mediaInfo).analyzeData(fstatSync(file).size, read);
  } finally {
    closeSync(file);
  }
}

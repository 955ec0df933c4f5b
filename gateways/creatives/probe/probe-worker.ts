import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import mediaInfoFactory from 'mediainfo.js';
import { type ProbeResult, probeFile } from './probe-file.ts';

/** A request to the worker: probe the file at `path`. */
export interface ProbeQuestion {
  readonly id: number;
  readonly path: string;
}
/** The answer to a request of the same id. */
export interface ProbeAnswer {
  readonly id: number;
  /** Null for a file whose type cannot be found. */
  readonly probed: ProbeResult | null;
}

/** MediaInfo runs in this worker thread because it parses for tens of milliseconds at a stretch. */
const mediaInfo = mediaInfoFactory({ format: 'object', full: false });

parentPort?.on('message', async ({ id, path }: ProbeQuestion) => {
  parentPort?.postMessage({
    id,
    probed: await probeFile(path, reportOn).catch(() => null),
  } satisfies ProbeAnswer);
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

import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The floor of all durable writes: the times in ms of `syncs` appends of 300 bytes, each followed by fdatasync. */
export async function measureSyncs(syncs: number): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-sync-'));
  const file = await open(join(folder, 'appended'), 'a');
  const payload = Buffer.alloc(300, 'x');
  const times: number[] = [];
  try {
    for (let index = 0; index < syncs; index++) {
      const since = performance.now();
      await file.write(payload);
      await file.datasync();
      times.push(performance.now() - since);
    }
  } finally {
    await file.close();
    await rm(folder, { recursive: true, force: true });
  }
  return times;
}

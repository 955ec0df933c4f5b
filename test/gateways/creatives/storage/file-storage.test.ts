import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileStorage } from '#gateways/creatives/storage/file-storage';
import { systemRandom } from '#runtime/providers/system/system-random';
import { creativeStorageContract } from './storage.contract.ts';

creativeStorageContract('files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'creatives-storage-'));
  return createFileStorage({ folder, random: systemRandom });
});

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DATA_FILE } from '#runtime/providers/embedded/data-file';
import { MIN_SECRET_KEY_LENGTH } from '#settings/forms';
import type { Check } from '../check.ts';
import { fail, ok, warn } from '../finding.ts';

const LEAKS = 'who reads it can sign impressions and open sealed keys';

export const secretKey: Check = {
  name: 'secret key',
  async find({ secretKey, mongodbUrl, dataDir }) {
    if (secretKey !== null) {
      const kinds = new Set(secretKey).size;
      if (kinds >= 10) return [ok('SECRET_KEY is set')];
      const found = `SECRET_KEY has only ${kinds} different characters`;
      return [
        warn(found, 'it can be guessed, and then impressions be signed', 'make one with openssl rand -base64 33'),
      ];
    }
    if (mongodbUrl !== null) {
      const found = 'neither SECRET_KEY nor SECRET_KEY_FILE is set, with MONGODB_URL';
      return [fail(found, 'no process starts', 'make one with openssl rand -base64 33, the same for all processes')];
    }
    const path = join(dataDir, 'secret-key');
    const file = await stat(path).catch(() => null);
    if (file === null) {
      const hasData = await stat(join(dataDir, DATA_FILE)).catch(() => null);
      if (hasData === null) return [ok(`the first start makes ${path}`)];
      const found = `${path} is not there, beside an exchange's data`;
      return [warn(found, 'no process starts, unless the data are of release 0.4', 'put it back; see docs/backup.md')];
    }
    const kept = (await readFile(path, 'utf8')).trim();
    if (kept.length < MIN_SECRET_KEY_LENGTH) {
      const found = `${path} holds fewer than ${MIN_SECRET_KEY_LENGTH} characters`;
      return [fail(found, 'no process starts', 'put it back from a backup; docs/leaked-key.md says how to change it')];
    }
    if ((file.mode & 0o077) !== 0) {
      return [warn(`others on this machine may read ${path}`, LEAKS, `chmod 600 ${path}`)];
    }
    return [ok(`${path}, which only its owner reads`)];
  },
};

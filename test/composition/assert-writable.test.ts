import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSettings } from '#settings';
import { assertWritable } from '../../composition/assert-writable.ts';

describe('composition/assert-writable', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assert-writable-'));
    await writeFile(join(folder, 'creatives'), '');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const settingsOf = (ROLES: string) =>
    readSettings({
      ...{ ROLES, DATA_DIR: folder, CREATIVES_S3_BUCKET: 'creatives', SECRET_KEY: 'x'.repeat(44) },
      ...{ REDIS_URL: 'redis://redis:6379', MONGODB_URL: 'mongodb://mongo:27017/exchange' },
    });

  for (const role of ['management', 'scheduler']) {
    it(`says that the folder of creatives on their way into a bucket cannot be written, with the role ${role}`, async () => {
      const error = await assertWritable(settingsOf(role)).catch((cause: Error) => cause);
      expect(String(error)).to.match(/: the folder .*\/creatives \(DATA_DIR\) cannot be written: EEXIST/);
      expect(await readdir(folder)).to.deep.equal(['creatives']);
    });
  }

  it('makes no folder of creatives with roles that only read them', async () => {
    await assertWritable(settingsOf('edge,actors'));
    expect(await readdir(folder)).to.deep.equal(['creatives']);
  });
});

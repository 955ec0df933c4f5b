import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSettings } from '../../settings.ts';
import { problems } from './problems.ts';

describe('the settings that are secrets', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'settings-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const fileWith = async (name: string, content: string) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };

  it('are read from the files that their _FILE forms name', async () => {
    const settings = readSettings({
      SECRET_KEY_FILE: await fileWith('secret', `${'s'.repeat(32)}\n`),
      SECRET_KEY_PREVIOUS_FILE: await fileWith('previous', `${'p'.repeat(32)}\n${'q'.repeat(32)}\n`),
      ADMIN_PASSWORD_FILE: await fileWith('password', 'twelve chars\n'),
      BOOTSTRAP_API_KEY_FILE: await fileWith('live', 'pk_live_12345678'),
      BOOTSTRAP_SANDBOX_API_KEY_FILE: await fileWith('sandbox', 'pk_sandbox_12345678'),
      REDIS_URL_FILE: await fileWith('redis', 'redis://:hush@redis:6379'),
      EDGE_REDIS_URL_FILE: await fileWith('edge-redis', 'redis://:hush@edge:6379'),
      FACTS_REDIS_URL_FILE: await fileWith('facts-redis', 'redis://:hush@facts:6379'),
      MONGODB_URL_FILE: await fileWith('mongodb', 'mongodb://user:hush@mongo:27017/exchange'),
    });
    expect(settings).to.include({
      secretKey: 's'.repeat(32),
      adminPassword: 'twelve chars',
      bootstrapApiKey: 'pk_live_12345678',
      bootstrapSandboxApiKey: 'pk_sandbox_12345678',
      redisUrl: 'redis://:hush@redis:6379',
      edgeRedisUrl: 'redis://:hush@edge:6379',
      factsRedisUrl: 'redis://:hush@facts:6379',
      mongodbUrl: 'mongodb://user:hush@mongo:27017/exchange',
    });
    expect(settings.previousSecretKeys).to.deep.equal(['p'.repeat(32), 'q'.repeat(32)]);
  });

  it('are refused when a file is missing or empty, or when both forms are given', async () => {
    expect(problems({ SECRET_KEY_FILE: join(folder, 'nothing') })[0]).to.match(/^SECRET_KEY_FILE: .* cannot be read/);
    expect(problems({ SECRET_KEY_FILE: await fileWith('empty', ' \n') })[0]).to.match(/ is empty$/);
    const both = { SECRET_KEY: 'x'.repeat(32), SECRET_KEY_FILE: await fileWith('both', 'y'.repeat(32)) };
    expect(problems(both)).to.deep.equal(['SECRET_KEY and SECRET_KEY_FILE exclude each other']);
  });
});

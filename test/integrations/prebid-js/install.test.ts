import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ADAPTER } from './prebid-page.ts';

describe('Prebid.js: integrations/prebid-js/install.mjs', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prebid-install-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const install = (...args: string[]) =>
    spawnSync(process.execPath, ['integrations/prebid-js/install.mjs', ...args], { encoding: 'utf8' });

  it('puts the module, its page and its spec into a checkout', async () => {
    for (const path of ['modules', 'test/spec/modules']) await mkdir(join(folder, path), { recursive: true });
    expect(install(folder).status).to.equal(0);
    for (const ending of ['.js', '.d.ts', '.md']) {
      const copied = readFileSync(join(folder, `modules/adexchangeBidAdapter${ending}`), 'utf8');
      expect(copied, ending).to.equal(readFileSync(`${ADAPTER}${ending}`, 'utf8'));
    }
    expect(existsSync(join(folder, 'test/spec/modules/adexchangeBidAdapter_spec.js'))).to.equal(true);
  });

  it('refuses what is no Prebid.js, and says how it is called', () => {
    const refused = install(folder);
    expect([refused.status, refused.stderr.includes(`${folder} is no folder of Prebid.js`)]).to.deep.equal([1, true]);
    const { status, stderr } = install();
    expect([status, stderr]).to.deep.equal([2, 'usage: node install.mjs <folder of Prebid.js>\n']);
  });
});

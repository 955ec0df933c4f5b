import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';

interface Package {
  readonly version: string;
  readonly integrity: string;
  readonly optional?: true;
}

describe('whether packages have to be installed', () => {
  let packagesAreInstalled: (folder?: string) => boolean;
  before(async () => {
    ({ packagesAreInstalled } = await import(pathToFileURL(join('scripts', 'installed-packages.mjs')).href));
  });

  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packages-'));
    await mkdir(join(folder, 'node_modules'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const koa: Package = { version: '3.1.1', integrity: 'sha512-a' };
  const forDarwin: Package = { version: '2.3.3', integrity: 'sha512-b', optional: true };
  const lockFile = (packages: Readonly<Record<string, Package>>) => JSON.stringify({ packages });

  async function areInstalled(
    wanted: Readonly<Record<string, Package>>,
    installed: Readonly<Record<string, Package>> | undefined,
  ): Promise<boolean> {
    const own = { version: '1.0.0', integrity: '' };
    await writeFile(join(folder, 'package-lock.json'), lockFile({ '': own, ...wanted }));
    const record = join(folder, 'node_modules', '.package-lock.json');
    if (installed !== undefined) await writeFile(record, lockFile(installed));
    return packagesAreInstalled(folder);
  }

  it('is not so after `npm ci`, whichever optional packages the platform has', async () => {
    const wanted = { 'node_modules/koa': koa, 'node_modules/fsevents': forDarwin };
    expect(await areInstalled(wanted, { 'node_modules/koa': koa })).to.equal(true);
    expect(await areInstalled(wanted, wanted)).to.equal(true);
  });

  it('is so before the first installation, and after one that did not end', async () => {
    expect(await areInstalled({ 'node_modules/koa': koa }, undefined)).to.equal(false);
  });

  it('is so when a package is missing, has another version or other bytes', async () => {
    const wanted = { 'node_modules/koa': koa };
    expect(await areInstalled(wanted, {})).to.equal(false);
    expect(await areInstalled(wanted, { 'node_modules/koa': { ...koa, version: '3.1.0' } })).to.equal(false);
    expect(await areInstalled(wanted, { 'node_modules/koa': { ...koa, integrity: 'sha512-c' } })).to.equal(false);
  });

  it('is not so with the packages of this repository, which run this test', () => {
    expect(packagesAreInstalled()).to.equal(true);
  });
});

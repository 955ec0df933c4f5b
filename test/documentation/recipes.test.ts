import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { copySources, differingSources } from './recipes/copy-of-sources.ts';
import { follow, recipeBlocks } from './recipes/recipe-blocks.ts';

const run = promisify(execFile);

/** Most of it is the compiler's: a field and a kind concern many files. */
const TIMEOUT_MS = 240_000;

/** All that is touched, by what is added: a folder, or an entry, and at most one list. */
const TOUCHED = {
  'an actor': ['actors/complaints/complaints.ts', 'actors/complaints/messages.ts', 'composition/actor-kinds.ts'],
  'a field of a resource': ['actors/pool/fields.ts'],
  'an endpoint': [
    'gateways/management/resources/supply-sources/floor.ts',
    'gateways/management/resources/supply-sources/routes.ts',
  ],
  'a field of a bid request': ['exchange/openrtb/fields/device.ts'],
  'a setting': ['settings/declared-settings.ts'],
};
/** What `npm run reference` makes of declarations. */
const WRITTEN = ['.env.example', 'docs/dsp.md', 'docs/reference/openrtb.md', 'docs/settings.md'];

const blocks = recipeBlocks(readFileSync('CONTRIBUTING.md', 'utf8'));

describe('the recipes of CONTRIBUTING, followed in a copy of the sources', function () {
  this.timeout(TIMEOUT_MS);
  const root = process.cwd();
  let copy: string;
  before(() => {
    copy = copySources(root);
    for (const block of blocks) follow(copy, block);
  });
  after(() => {
    if (copy !== undefined) rmSync(copy, { recursive: true, force: true });
  });

  /** Throws, with what it printed of failures, when the program fails. */
  async function inCopy(...args: readonly string[]): Promise<string> {
    try {
      const { stdout } = await run(process.execPath, args, { cwd: copy, maxBuffer: 64 * 1024 * 1024 });
      return stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(
        `node ${args.join(' ')}\n${stdout.slice(Math.max(0, stdout.search(/^ {2}\d+ passing/m)))}${stderr}`,
      );
    }
  }
  const mocha = (...args: readonly string[]) =>
    inCopy(join('node_modules', 'mocha', 'bin', 'mocha.js'), '--no-config', '--exit', '--timeout', '60000', ...args);

  it('touch a folder or an entry each, and one list at most', () => {
    const touched = blocks.map(({ path }) => path);
    expect(touched.sort()).to.deep.equal(Object.values(TOUCHED).flat().sort());
    expect(differingSources(root, copy)).to.deep.equal(touched);
  });

  it('compile, tests included', async () => {
    expect(await inCopy(join('node_modules', 'typescript', 'bin', 'tsc'))).to.equal('');
  });

  it('add what answers, is kept, is described and is read', async () => {
    const printed = await mocha('dist/test/documentation/recipes/followed-process.js');
    expect(printed).to.match(/^ {2}5 passing/m);
  });

  it('add an endpoint that answers every kind of caller as it declares', async () => {
    const printed = await mocha(
      'dist/test/gateways/management/access-matrix.test.js',
      '--grep',
      '/floor$|that is declared',
    );
    expect(printed).to.include('GET /api/supply/sources/:id/floor');
  });

  it('add what the tests of all routes, kinds, fields and settings accept', async () => {
    await inCopy(join('dist', 'test', 'documentation', 'print.js'));
    const names = [
      'gateways/management/openapi/document',
      'gateways/management/openapi/compatibility/compatibility',
      'actors/audit-trail-kinds',
      'composition/schemas',
      'exchange/openrtb/fields/declared-fields',
      'documentation/settings',
    ];
    await mocha(...names.map((name) => `dist/test/${name}.test.js`));
  });

  it('touch nothing else, but for what is made of declarations', () => {
    expect(differingSources(root, copy)).to.deep.equal([...Object.values(TOUCHED).flat(), ...WRITTEN].sort());
  });
});

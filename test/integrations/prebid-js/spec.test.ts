import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { build, type Plugin } from 'esbuild';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/chromium.ts';
import { type PublisherSite, startPublisherSite } from '../../support/publisher-site.ts';
import { ADAPTER } from './prebid-page.ts';

const BUILT = resolve('integrations/node_modules/prebid.js/dist/src');
const LEAST_PERCENT = 80;

/** Lets the adapter and its spec stand outside of Prebid.js, with the paths that they have within it. */
const withinPrebid: Plugin = {
  name: 'within-prebid',
  setup({ onResolve }) {
    onResolve({ filter: /\/modules\/adexchangeBidAdapter\.js$/ }, () => ({ path: resolve(`${ADAPTER}.js`) }));
    onResolve({ filter: /^(?:\.\.\/)+(?:src|libraries)\// }, ({ path, importer }) =>
      importer.includes('node_modules') ? undefined : { path: join(BUILT, path.replaceAll('../', '')) },
    );
  },
};

/** The adapter's spec as Prebid.js runs it: mocha and chai, in a browser. */
describe('Prebid.js: the adapter’s own spec', () => {
  let browser: Browser;
  let site: PublisherSite;
  let folder: string;

  before(async function () {
    browser = await launchChromium(this);
    site = await startPublisherSite();
    folder = await mkdtemp(join(tmpdir(), 'prebid-spec-'));
  });
  after(async () => {
    await browser?.close();
    await site?.close();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  it('passes, and covers the adapter', async () => {
    const outfile = join(folder, 'spec.js');
    await build({
      stdin: {
        contents: `import { hook } from '../../../src/hook.js'; hook.ready(); import '${resolve(ADAPTER)}_spec.js';`,
        resolveDir: resolve('integrations/prebid-js'),
      },
      bundle: true,
      format: 'iife',
      sourcemap: 'linked',
      outfile,
      plugins: [withinPrebid],
      logLevel: 'error',
    });
    const script = (body: Buffer) => ({ type: 'text/javascript', body });
    site.files.set('/mocha.js', script(await readFile('node_modules/mocha/mocha.js')));
    site.files.set('/spec.js', script(await readFile(outfile)));
    const page = await browser.newPage();
    await page.coverage.startJSCoverage();
    await page.goto(
      site.page(
        '/spec',
        `<!doctype html><meta charset="utf-8"><div id="mocha"></div><script src="/mocha.js"></script>
        <script>mocha.setup({ ui: 'bdd', reporter: 'json' })</script><script src="/spec.js"></script>`,
      ),
    );
    const { passed, failures } = (await page.evaluate(`new Promise((done) => {
      const failures = []; let passed = 0;
      mocha.run(() => done({ passed, failures }))
        .on('pass', () => { passed += 1; })
        .on('fail', (test, { message }) => failures.push(test.fullTitle() + ': ' + message));
    })`)) as { passed: number; failures: string[] };
    const entries = await page.coverage.stopJSCoverage();
    expect(failures).to.deep.equal([]);
    expect(passed).to.be.greaterThan(25);

    const { functions, scriptId } = entries.find(({ url }) => url.endsWith('/spec.js'))!;
    const url = pathToFileURL(outfile).href;
    const data = JSON.parse(await readFile(`${outfile}.map`, 'utf8'));
    const lineLengths = (await readFile(outfile, 'utf8')).split('\n').map(({ length }) => length);
    const covered = {
      result: [{ scriptId, url, functions }],
      'source-map-cache': { [url]: { lineLengths, data, url: null } },
    };
    await writeFile(join(folder, 'coverage-1.json'), JSON.stringify(covered));
    const report = join(folder, 'report');
    const args = ['report', '--temp-directory', folder, '--reports-dir', report, '--reporter', 'json-summary'];
    const which = ['--exclude-after-remap', '--allowExternal', '--exclude', '**/*_spec.js'];
    execFileSync(process.execPath, ['node_modules/c8/bin/c8.js', ...args, ...which]);
    const summary = JSON.parse(await readFile(join(report, 'coverage-summary.json'), 'utf8'));
    const { lines, branches, functions: called } = summary[resolve(`${ADAPTER}.js`)];
    expect(called.total, 'functions that were looked at').to.be.greaterThan(20);
    for (const [what, { pct }] of Object.entries({ lines, branches, called })) {
      expect(pct, what).to.be.at.least(LEAST_PERCENT);
    }
  });
});

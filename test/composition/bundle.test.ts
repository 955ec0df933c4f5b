import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { callJson } from '../support/exchange.ts';
import { Installation } from './installation.ts';

const DIST = fileURLToPath(new URL('../../', import.meta.url));
const BUNDLE = join(DIST, 'bundle-of-test');
const BUNDLER = pathToFileURL(resolve('scripts/bundle.mjs')).href;
const RECORDER = new URL('./loaded-modules-process.js', import.meta.url).href;
const PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/;

/** The names in one of the lists above. */
const namesIn = (list: string) => list.trim().split(/\s+/);
const OF_A_PLATFORM = /-(linux|darwin|win32)-/;

/** The files of a bundle with the sources of each, as esbuild tells them. */
type Bundle = Readonly<Record<string, { readonly inputs: Readonly<Record<string, unknown>> }>>;

/** Packages that a start loads from their own files, those of one platform left out: lmdb's, and Bree's. */
const LOADED_APART = `
  @breejs/later @harperfast/extended-iterable bree combine-errors cron-validate custom-error-instance detect-libc
  human-interval is-extglob is-glob is-invalid-path lmdb lodash._baseiteratee lodash._basetostring
  lodash._baseuniq lodash._createset lodash._root lodash._stringtopath lodash.uniqby ms msgpackr msgpackr-extract
  node-gyp-build-optional-packages numbered ordered-binary p-finally p-timeout p-wait-for property-expr
  safe-timers tiny-case toposort weak-lru-cache yup
`;
/** Packages in the files of the bundle that a start loads. */
const BUNDLED = `
  @datadog/sketches-js @iabgpp/cmpapi @koa/cors @koa/router @koa/send @opentelemetry/api @pinojs/redact
  @stablelib/base64 accepts atomic-sleep bintrees bytes compressible content-disposition content-type cookie
  cookies croner csv-stringify debug deep-equal delegates depd destroy diacritics ee-first encodeurl
  escape-html etag fast-sha256 fresh has-flag helmet http-assert http-errors i18n-iso-countries image-size
  inherits isbot keygrip koa koa-compose koa-compress koa-helmet koa-is-json leven lru-cache media-typer
  mime-db mime-types ms negotiator on-exit-leak-free on-finished otpauth parseurl path-is-absolute
  path-to-regexp pino pino-std-serializers prom-client quick-format-unescaped range-parser
  rate-limiter-flexible resolve-path safe-stable-stringify saxes setprototypeof sonic-boom standardwebhooks
  statuses supports-color tdigest thread-stream tldts toidentifier tsscmp type-is typebox uuid vary ws xmlchars
`;
/** What jobs load in threads of their own. */
const THREADS = /\/(?:cron-timer-worker\.js|creatives\/scan\/html\/[\w-]+\.js)$/;
/**
 * The most files that a start loads: those of the bundle, of which what a supervisor has in common with it makes four,
 * and of packages apart.
 */
const MOST_FILES = 116;

describe('the bundle that `npm start` runs', () => {
  let bundle: Bundle;
  let installation: Installation;

  before(async () => {
    const { bundleProgram } = await import(BUNDLER);
    bundle = await bundleProgram('dist', BUNDLE);
    installation = await Installation.make({ LOG_LEVEL: 'info' }, join(BUNDLE, 'main.js'));
  });
  after(async () => {
    await installation.remove();
    await rm(BUNDLE, { recursive: true, force: true });
  });

  it('is what `npm start` and the image start', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [, program] = /^CMD (\[.*\])$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
    expect(scripts.start).to.match(/ dist\/bundle\/main\.js$/);
    expect(JSON.parse(program!).join(' ')).to.equal(scripts.start);
  });

  it('finds the files that stand beside modules, and the programs of threads', async () => {
    const places = new Set<string>();
    for (const name of await readdir(BUNDLE)) {
      if (!name.endsWith('.js')) continue;
      // Long lines are broken, strings by a backslash.
      const code = (await readFile(join(BUNDLE, name), 'utf8')).replaceAll('\\\n', '');
      for (const [, place] of code.matchAll(/new URL\((?:'|")([^'"]+)(?:'|"),\s*import\.meta\.url\)\.href/g))
        places.add(place!);
    }
    expect([...places]).to.include('../scheduler/cron-timer.js');
    for (const place of places) expect(existsSync(join(BUNDLE, place)), place).to.equal(true);
  });

  it('serves ads, the API, its description, the dashboard and the script for pages, and stops', async () => {
    const run = await installation.start();
    const { sandbox_key, live_key } = await installation.firstCredentials();
    const made = await callJson(
      'POST',
      `${installation.baseUrl}/api/supply/pools`,
      { name: 'of the bundle' },
      { 'X-API-Key': live_key },
    );
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    const bidRequest = {
      id: 'first',
      imp: [{ id: '1', banner: { w: 300, h: 250 } }],
      site: { id: '00000000-0000-4000-8000-00000000000a', domain: 'sandbox.example' },
    };
    const sold = await callJson('POST', `${installation.edgeUrl}/rtb`, bidRequest, { 'X-API-Key': sandbox_key });
    expect(sold.status, JSON.stringify(sold.body)).to.equal(200);
    expect(sold.body.seatbid[0].bid[0].adm).to.be.a('string');
    const pages = [
      `${installation.baseUrl}/docs`,
      `${installation.baseUrl}/icon.svg`,
      `${installation.edgeUrl}/tag.js`,
    ];
    for (const url of pages) {
      const page = await fetch(url, { headers: { Accept: 'text/html' } });
      expect(page.status, url).to.equal(200);
      expect((await page.text()).length, url).to.be.above(100);
    }
    run.signal('SIGTERM');
    expect(await run.exited, run.stderr).to.equal(0);
  });

  it('loads at a start no more packages and files than these', async () => {
    const record = join(installation.folder, 'loaded');
    const run = installation.run({ NODE_OPTIONS: `--import=${RECORDER}`, LOADED_MODULES: record });
    await run.serving();
    run.signal('SIGTERM');
    expect(await run.exited, run.stderr).to.equal(0);
    // A job may have been due: the timer of the scheduler and the reader of creatives have threads of their own.
    const loaded = [...new Set((await readFile(record, 'utf8')).trim().split('\n'))].filter(
      (url) => url.startsWith('file:') && !url.startsWith(RECORDER) && !THREADS.test(url),
    );
    const paths = loaded.map((url) => fileURLToPath(url));
    const packagesIn = (files: readonly string[]) =>
      [...new Set(files.flatMap((file) => PACKAGE.exec(file)?.[1] ?? []))]
        .filter((name) => !OF_A_PLATFORM.test(name))
        .sort();
    const ours = paths.filter((path) => !path.includes('node_modules'));
    expect(ours.filter((path) => !path.startsWith(BUNDLE))).to.deep.equal([]);
    const sources = Object.entries(bundle).flatMap(([file, { inputs }]) =>
      ours.includes(resolve(file)) ? Object.keys(inputs) : [],
    );
    expect(packagesIn(paths), 'packages from their own files').to.deep.equal(namesIn(LOADED_APART));
    expect(packagesIn(sources), 'packages in the bundle').to.deep.equal(namesIn(BUNDLED));
    expect(paths.length, paths.join('\n')).to.be.at.most(MOST_FILES);
  });
});

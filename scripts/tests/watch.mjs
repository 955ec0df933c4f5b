// Runs the tests of a selection (plan.mjs) from their sources, whose types Node strips: nothing is built. Then it waits
// for changes and runs the tests that import a changed file, directly or indirectly. Ctrl-C ends it. `npm run
// typecheck` checks the types.
//
//   node scripts/tests/watch.mjs quick
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { build } from 'esbuild';
import { affectedBy, readSources } from './import-graph.mjs';
import { groupOf, SELECTIONS } from './plan.mjs';
import { MOCHA } from './run-group.mjs';

/** From this release on, Node runs TypeScript without a flag and without a warning. */
const [MAJOR, MINOR] = [22, 18];
/**
 * Changes are collected for this many ms: an editor writes a file in several steps, and a checkout changes many files.
 */
const SETTLED_MS = 200;
/** This script writes the file, so its change does not count. */
const BUNDLED_TAG = 'tag-js/tag.js';
/** Tests that start compiled programs or read compiled files need a build. */
const READS_BUILD = /\.js', import\.meta\.url|'dist'/;
/** These tests read the patterns and functions of the compiled product. */
const SECURITY = 'test/security/';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < MAJOR || (major === MAJOR && minor < MINOR)) {
  console.error(
    `Watching runs the sources without a build, which needs Node ${MAJOR}.${MINOR} or newer; this is ${process.version}.`,
  );
  process.exit(2);
}

const selection = SELECTIONS[process.argv[2]];
if (selection === undefined) throw new Error(`name a selection: ${Object.keys(SELECTIONS).join(', ')}`);

/** The test files of the selection by path; those that need a build are left out. */
function testsOf(sources) {
  const tests = { run: [], leftOut: [] };
  for (const [path, text] of sources) {
    if (!path.startsWith('test/') || !path.endsWith('.test.ts')) continue;
    const { name } = groupOf(path.slice('test/'.length), text);
    if (selection.includes(name))
      (READS_BUILD.test(text) || path.startsWith(SECURITY) ? tests.leftOut : tests.run).push(path);
  }
  return tests;
}

async function run(files) {
  console.log(`\n── ${files.length} test files`);
  const child = spawn(process.execPath, ['--conditions=source', MOCHA, '--reporter', 'dot', ...files], {
    stdio: 'inherit',
  });
  await once(child, 'close');
  console.log('Waiting for changes; Ctrl-C ends.');
}

/**
 * The edge serves the script of its tag from the folder of the tag's modules; the build writes another one into
 * `dist/`.
 */
async function bundleTag(sources) {
  const tag = [...sources.keys()].find((path) => path.endsWith('/tag-js/tag.ts'));
  await build({
    entryPoints: [tag],
    outfile: tag.replace(/\.ts$/, '.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
  });
}

/** The paths of files that changed since the last call. */
let changed = new Set();
let wake = () => {};
const { roots, sources: first } = readSources();
for (const root of roots) {
  watch(root.path, { recursive: root.recursive }, (_event, name) => {
    if (name === null || name.endsWith(BUNDLED_TAG)) return;
    changed.add(root.path === '.' ? name : `${root.path}/${name}`);
    wake();
  });
}

await bundleTag(first);
const { run: all, leftOut } = testsOf(first);
if (leftOut.length > 0) console.log(`Left out, as they need a build: ${leftOut.join(', ')}`);
await run(all);
for (;;) {
  if (changed.size === 0) {
    await new Promise((resolve) => {
      wake = resolve;
    });
  }
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  const now = changed;
  changed = new Set();
  const { sources } = readSources();
  const affected = affectedBy(now, sources);
  if ([...now].some((path) => path.includes('/tag-js/') && path.endsWith('.ts'))) await bundleTag(sources);
  const files = testsOf(sources).run.filter((path) => affected.has(path));
  if (files.length > 0) await run(files);
}

// Runs the tests by groups (plan.mjs), each in a process of its own, several at once. It ends with a summary of what
// passed, what was skipped and why, and `N passed, N failed[, N skipped]`. The run fails when a test fails, when a
// group does not end by its tests, and when a row of the specification that had to be shown was not.
//
//   node scripts/tests/run.mjs                        the named subset: nothing but Node is needed
//   node scripts/tests/run.mjs --whole [--lanes 3]    everything but the long groups, with each test's name
//   node scripts/tests/run.mjs --group money,rules    some groups
//   node scripts/tests/run.mjs --select quick         a selection of groups: quick, properties, gateways, system
//   node scripts/tests/run.mjs --select quick --watch the sources, without a build; again after each change (watch.mjs)
//   node scripts/tests/run.mjs --results <folder>     keeps the results of each group as JSON, with the time of each file
//   node scripts/tests/run.mjs <mocha's arguments>    passes all arguments to mocha: a file, --grep …
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GROUPS, groupOf, QUICK_LANES, SELECTIONS } from './plan.mjs';
import { runAgain } from './run-again.mjs';
import { MOCHA, runGroup, TESTS } from './run-group.mjs';

/** Output of a group is printed up to this length when only failures matter. */
const OUTPUT_BYTES = 200_000;

const OPTIONS = {
  whole: { type: 'boolean', default: false },
  group: { type: 'string' },
  select: { type: 'string' },
  lanes: { type: 'string' },
  totals: { type: 'string' },
  results: { type: 'string' },
};

function readArguments(all) {
  try {
    return parseArgs({ args: all, options: OPTIONS }).values;
  } catch {
    return undefined;
  }
}

/** The test files of each group; each file is in one group. */
function filesOfGroups() {
  const files = new Map(GROUPS.map(({ name }) => [name, []]));
  const names = readdirSync(TESTS, { recursive: true }).filter((name) => name.endsWith('.test.js'));
  for (const name of names.map((one) => one.replaceAll('\\', '/')).sort()) {
    const file = join(TESTS, name);
    files.get(groupOf(name, readFileSync(file, 'utf8')).name).push(file);
  }
  return files;
}

/** The part of Mocha's output about failures, which begins with the counts. */
function failuresIn(output) {
  const counts = output.search(/^ {2}\d+ passing/m);
  return counts === -1 ? output.slice(-OUTPUT_BYTES) : output.slice(counts);
}

function report({ group, results, code, signal, seconds, output }, whole) {
  const failed = code !== 0 || results === undefined;
  if (whole || failed) process.stdout.write(`\n── ${group.name}\n${whole ? output : failuresIn(output)}`);
  if (results === undefined || (failed && results.failed === 0)) {
    console.log(`The group '${group.name}' ended with ${signal ?? `code ${code}`} after ${seconds} s.`);
  }
  const { passed, failed: failures, skipped } = results ?? { passed: 0, failed: 0, skipped: 0 };
  const rest = `${failures > 0 ? `, ${failures} failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  console.log(`${failed ? '✘' : '✔'} ${group.name.padEnd(22)} ${passed} passed${rest} (${seconds} s)`);
}

/** Runs the groups in their order, `lanes` at once; those that are `beside`, one after the other, beside them. */
async function runAll(groups, files, folder, lanes, whole) {
  const chosen = groups.filter(({ name }) => files.get(name).length > 0);
  const waiting = chosen.filter(({ beside }) => !beside);
  const outcomes = [];
  const lane = async (queue) => {
    for (;;) {
      const group = queue.shift();
      if (group === undefined) return;
      const outcome = await runGroup(group, files.get(group.name), folder);
      report(outcome, whole);
      outcomes.push(outcome);
    }
  };
  await Promise.all([
    lane(chosen.filter(({ beside }) => beside)),
    ...Array.from({ length: lanes }, () => lane(waiting)),
  ]);
  return outcomes;
}

/** Prints which groups did not run, why, and how to run them. */
function printLeftOut(groups, files, outcomes) {
  const reasons = new Map();
  for (const { results } of outcomes) {
    for (const [reason, count] of Object.entries(results?.leftOut ?? {})) {
      reasons.set(reason, (reasons.get(reason) ?? 0) + count);
    }
  }
  const others = GROUPS.filter((group) => !groups.includes(group) && files.get(group.name).length > 0);
  if (reasons.size === 0 && others.length === 0) return;
  console.log('\nLeft out:');
  for (const { name, leftOut, slow } of others) {
    console.log(`  ${name} (${files.get(name).length} files): ${leftOut ?? slow ?? 'not asked for'}`);
  }
  for (const [reason, count] of reasons) console.log(`  ${count} tests: ${reason}`);
  if (others.length === 0) return;
  console.log('Everything, with real servers: `npm run check`. What takes longest: `npm run check:long`.');
  console.log(`Some groups: \`npm test -- --group ${others[0].name}\`.`);
}

const wanted = readArguments(process.argv.slice(2));
if (wanted === undefined) {
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', MOCHA, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}

const files = filesOfGroups();
if (wanted.select !== undefined && SELECTIONS[wanted.select] === undefined) {
  console.error(`There is no selection ${wanted.select}: ${Object.keys(SELECTIONS).join(', ')}`);
  process.exit(2);
}
const names = wanted.select === undefined ? wanted.group?.split(',') : SELECTIONS[wanted.select];
const unknown = names?.filter((name) => !GROUPS.some((group) => group.name === name)) ?? [];
if (unknown.length > 0) {
  console.error(`There is no group ${unknown.join(', ')}: ${GROUPS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
/**
 * True for a whole run, of all groups but the long ones: asked for, or required by REQUIRE_REAL_SERVERS=1 when no
 * groups are named.
 */
const whole = wanted.whole || (names === undefined && process.env.REQUIRE_REAL_SERVERS === '1');
const chosen =
  names?.map((name) => GROUPS.find((group) => group.name === name)) ??
  GROUPS.filter(({ leftOut, long }) => (whole ? !long : leftOut === undefined));
const folder = wanted.results ?? mkdtempSync(join(tmpdir(), 'exchange-tests-'));
mkdirSync(folder, { recursive: true });
try {
  const lanes = Number(wanted.lanes ?? Math.max(wanted.select === 'quick' ? QUICK_LANES : 2, availableParallelism()));
  const started = performance.now();
  const outcomes = await runAgain(await runAll(chosen, files, folder, lanes, whole), folder);
  printLeftOut(chosen, files, outcomes);
  if (whole) printSlowest(outcomes);
  const rows = spawnSync(process.execPath, [join(TESTS, 'specification', 'shown-in-run.js'), folder], {
    encoding: 'utf8',
    env: { ...process.env, WHOLE_RUN: whole ? '1' : '' },
  });
  console.log(`\n${rows.stdout}${rows.stderr}`.trimEnd());
  const sum = (of) => outcomes.reduce((total, { results }) => total + (results === undefined ? 0 : of(results)), 0);
  const [passed, failed, skipped] = [sum((r) => r.passed), sum((r) => r.failed), sum((r) => r.skipped)];
  const broken = outcomes.some(({ code, results }) => code !== 0 || results === undefined);
  console.log(`${Math.round((performance.now() - started) / 1000)} s with ${lanes} groups at once`);
  const totals = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  console.log(totals);
  if (wanted.totals !== undefined) writeFileSync(wanted.totals, `${totals}\n`);
  process.exitCode = broken || rows.status !== 0 || passed === 0 ? 1 : 0;
} finally {
  if (wanted.results === undefined) rmSync(folder, { recursive: true, force: true });
}

/** Prints the 15 slowest files. */
function printSlowest(outcomes) {
  const all = outcomes.flatMap(({ results }) => Object.entries(results?.files ?? {}));
  console.log('\nSlowest files, by the wall clock (processor time of their own process):');
  for (const [file, { ms, cpuMs }] of all.sort(([, a], [, b]) => b.ms - a.ms).slice(0, 15)) {
    console.log(`  ${(ms / 1000).toFixed(1)} s (${(cpuMs / 1000).toFixed(1)} s)  ${file}`);
  }
}

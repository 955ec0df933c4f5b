import { parseArgs } from 'node:util';
import { LAWS, type Law } from '../node/laws.ts';
import { simulate } from './simulation.ts';

// Runs seeds from the command line:
//   npm run simulate -- --seed 7 --runs 100        seeds 7 to 106
//   npm run simulate -- --seed 7 --trace           one seed, every event
//   npm run simulate -- --break compare-and-set    with a law broken on purpose
//   npm run simulate -- --bundles --runs 100       where messages share entries of the log
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    runs: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    bundles: { type: 'boolean', default: false },
    break: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(
    'Usage: npm run simulate -- [--seed N] [--runs N] [--trace] [--bundles] [--break LAW]\n\nA cluster of actors under faults; prints the seed of a failure.',
  );
  process.exit(0);
}

const broken = values.break.map((name) => {
  if (!(name in LAWS)) throw new Error(`no law is named ${name}; there are ${Object.keys(LAWS).join(', ')}`);
  return name as Law;
});
const firstSeed = values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed);
const runs = Number(values.runs);
if (!Number.isInteger(firstSeed) || !Number.isInteger(runs)) throw new Error('--seed and --runs take whole numbers');

const began = performance.now();
const faults = new Map<string, number>();
let events = 0;
let operations = 0;
let failures = 0;
for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
  const print = values.trace ? { print: (line: string) => console.log(line) } : {};
  const result = await simulate(seed, { brokenLaws: new Set(broken), bundles: values.bundles, ...print });
  events += result.events;
  operations += result.operations;
  for (const [name, count] of result.faults) faults.set(name, (faults.get(name) ?? 0) + count);
  if (result.violations.length === 0) continue;
  failures += 1;
  console.log(`seed ${seed} breaks ${result.violations.length} invariants; trace ${result.traceHash}`);
  for (const { invariant, what, atMs } of result.violations.slice(0, 5))
    console.log(`  ${atMs} ms ${invariant}: ${what}`);
  const breaking = `${values.bundles ? ' --bundles' : ''}${broken.map((law) => ` --break ${law}`).join('')}`;
  console.log(`  again: npm run simulate -- --seed ${seed}${breaking} --trace`);
}
const seconds = (performance.now() - began) / 1000;
for (const [name, count] of [...faults].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`${String(count).padStart(8)} ${name}`);
console.log(
  `${runs} runs from seed ${firstSeed}: ${failures} failed; ${operations} operations, ${events} events in ` +
    `${seconds.toFixed(1)} s (${Math.round(events / seconds)} events/s)`,
);
process.exitCode = failures > 0 ? 1 : 0;

import { parseArgs } from 'node:util';
import { LAWS, type Law } from '../../../runtime/node/laws.ts';
import { MONEY_LAWS, type MoneyLaw } from './broken-money.ts';
import { simulateMoney } from './simulate-money.ts';

// Runs seeds from the command line:
//   npm run simulate:money -- --seed 7 --runs 100         seeds 7 to 106
//   npm run simulate:money -- --seed 7 --trace            one seed, every event
//   npm run simulate:money -- --break totals-replace      with a law of money, or of the runtime, broken on purpose
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    runs: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    break: { type: 'string', multiple: true, default: [] },
  },
});
for (const law of values.break) {
  if (law in LAWS || law in MONEY_LAWS) continue;
  throw new Error(`no law is named ${law}; there are ${[...Object.keys(MONEY_LAWS), ...Object.keys(LAWS)].join(', ')}`);
}
const brokenLaws = new Set(values.break.filter((law): law is Law => law in LAWS));
const brokenMoney = new Set(values.break.filter((law): law is MoneyLaw => law in MONEY_LAWS));
const firstSeed = values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed);
const runs = Number(values.runs);
if (!Number.isInteger(firstSeed) || !Number.isInteger(runs)) throw new Error('--seed and --runs take whole numbers');

const began = performance.now();
const sums = { months: 0, sold: 0, refused: 0, billed: 0, late: 0, expired: 0, statements: 0, events: 0 };
const faults = new Map<string, number>();
let failures = 0;
for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
  const print = values.trace ? { print: (line: string) => console.log(line) } : {};
  const run = await simulateMoney(seed, { brokenLaws, brokenMoney, ...print });
  for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += run[name];
  for (const [name, count] of run.faults) faults.set(name, (faults.get(name) ?? 0) + count);
  if (run.violations.length === 0) continue;
  failures += 1;
  console.log(`seed ${seed} breaks ${run.violations.length} invariants; trace ${run.traceHash}`);
  for (const { invariant, what, atMs } of run.violations.slice(0, 5)) console.log(`  ${atMs} ms ${invariant}: ${what}`);
  console.log(
    `  again: npm run simulate:money -- --seed ${seed}${values.break.map((law) => ` --break ${law}`).join('')}`,
  );
}
const seconds = (performance.now() - began) / 1000;
for (const [name, count] of [...faults].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`${String(count).padStart(8)} ${name}`);
console.log(
  Object.entries(sums)
    .map(([name, count]) => `${count} ${name}`)
    .join(', '),
);
console.log(`${runs} runs from seed ${firstSeed}: ${failures} failed, in ${seconds.toFixed(1)} s`);
process.exitCode = failures > 0 ? 1 : 0;

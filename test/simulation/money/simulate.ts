import { parseArgs } from 'node:util';
import { LAWS, type Law } from '#runtime/node/laws';
import { MONEY_LAWS, type MoneyLaw } from './broken-money.ts';
import { RunTotals } from './run-totals.ts';
import { simulateMoney } from './simulate-money.ts';

// Runs seeds from the command line:
//   npm run simulate:money -- --seed 7 --runs 100         seeds 7 to 106
//   npm run simulate:money -- --seed 7 --minutes 60       from seed 7 on for an hour; totals each 200 seeds
//   npm run simulate:money -- --seed 7 --trace            one seed, every event
//   npm run simulate:money -- --seed 7 --runs 9 --regions  each with regions that have logs of their own
//   npm run simulate:money -- --break totals-replace      with a law of money, or of the runtime, broken on purpose
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    runs: { type: 'string' },
    minutes: { type: 'string' },
    trace: { type: 'boolean', default: false },
    regions: { type: 'boolean', default: false },
    break: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(
    'Usage: npm run simulate:money -- [--seed N] [--runs N] [--minutes N] [--regions] [--trace] [--break LAW]\n\nMonths of sales, budgets, fees and statements under faults; prints the seed of a failure.',
  );
  process.exit(0);
}
for (const law of values.break) {
  if (law in LAWS || law in MONEY_LAWS) continue;
  throw new Error(`no law is named ${law}; there are ${[...Object.keys(MONEY_LAWS), ...Object.keys(LAWS)].join(', ')}`);
}
const SAID_EVERY = 200;
const brokenLaws = new Set(values.break.filter((law): law is Law => law in LAWS));
const brokenMoney = new Set(values.break.filter((law): law is MoneyLaw => law in MONEY_LAWS));
const firstSeed = values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed);
const minutes = values.minutes === undefined ? Number.POSITIVE_INFINITY : Number(values.minutes);
const runs =
  values.runs === undefined ? (values.minutes === undefined ? 1 : Number.MAX_SAFE_INTEGER) : Number(values.runs);
if (!Number.isInteger(firstSeed) || !Number.isInteger(runs)) throw new Error('--seed and --runs take whole numbers');
if (!(minutes > 0)) throw new Error('--minutes takes how long to go on');

const totals = new RunTotals(firstSeed);
const isOver = () => totals.runs >= runs || totals.seconds >= minutes * 60;
for (let seed = firstSeed; !isOver(); seed += 1) {
  const print = values.trace ? { print: (line: string) => console.log(line) } : {};
  const regions = values.regions ? { regions: true } : {};
  const run = await simulateMoney(seed, { brokenLaws, brokenMoney, ...regions, ...print });
  totals.add(run);
  if (run.violations.length > 0) {
    console.log(`seed ${seed} breaks ${run.violations.length} invariants; trace ${run.traceHash}`);
    for (const { invariant, what, atMs } of run.violations.slice(0, 5)) {
      console.log(`  ${atMs} ms ${invariant}: ${what}`);
    }
    const broken = values.break.map((law) => ` --break ${law}`).join('');
    console.log(`  again: npm run simulate:money -- --seed ${seed}${values.regions ? ' --regions' : ''}${broken}`);
  }
  if (totals.runs % SAID_EVERY === 0 && !isOver()) console.log(totals.summary());
}
for (const line of totals.details()) console.log(line);
console.log(totals.summary());
process.exitCode = totals.failed > 0 ? 1 : 0;

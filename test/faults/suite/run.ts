import { randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { FIGURES, type Figures, failures, PAGE, updated, withTable } from './figures.ts';
import { mongodbServer } from './mongodb-server.ts';
import { type Row, runScenario, ScenarioFailed } from './run-scenario.ts';
import { SCENARIOS } from './scenarios.ts';

const HELP = `Usage: npm run faults -- [options]

Runs the exchange on real servers (redis-server and its Sentinel must be installed; MONGODB_URL, or one is built and started), breaks
them while it is used, and compares what was acknowledged with what is billed. Exits with 1 where something is lost or doubled.

  --only <a,b>    these scenarios alone: ${SCENARIOS.map(({ name }) => name).join(', ')}
  --rounds <n>    of each, in place of its own number
  --seed <n>      of what is random; otherwise one is drawn, and printed with a failure
  --write         writes the rows that hold into docs/faults.json, and the table of docs/reliability.md
  --long          in their long form those that have one: region-month-end waits for its 70 minutes
  --unsafe        without REDIS_WAIT_REPLICAS: shows what is lost then

PARTITIONS=128 in the environment: logs with so many partitions, in place of each scenario's own number.
`;

const { values: wanted } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string' },
    seed: { type: 'string' },
    write: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    unsafe: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

function wholeNumber(name: 'rounds' | 'seed'): number | undefined {
  const { [name]: given } = wanted;
  if (given === undefined) return undefined;
  if (!/^\d{1,9}$/.test(given)) misuse(`--${name} must be a whole number, not "${given}"`);
  return Number(given);
}

function misuse(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Resolves with the rows of those that held; prints the story of each that did not. */
async function runAll(names: readonly string[], mongodbUrl: string): Promise<{ rows: Row[]; failed: string[] }> {
  const rows: Row[] = [];
  const failed: string[] = [];
  const [seed, rounds] = [wholeNumber('seed') ?? randomInt(1_000_000), wholeNumber('rounds')];
  for (const scenario of SCENARIOS.filter(({ name }) => names.includes(name))) {
    const why = scenario.missing?.() ?? null;
    if (why !== null) {
      print(`– ${scenario.name} was not run: ${why}`);
      if (wanted.only !== undefined) failed.push(scenario.name);
      continue;
    }
    print(`── ${scenario.name}, seed ${seed}`);
    try {
      const row = await runScenario(scenario, {
        seed,
        rounds,
        safe: !wanted.unsafe,
        long: wanted.long,
        mongodbUrl,
        print,
      });
      rows.push(row);
      const {
        outcome: { wrong: _, ...figures },
      } = row;
      print(
        `✔ ${scenario.name}  ${JSON.stringify(figures, (_, value) => (typeof value === 'number' ? Math.round(value) : value))}`,
      );
    } catch (error) {
      if (!(error instanceof ScenarioFailed)) throw error;
      failed.push(scenario.name);
      print(`✘ ${error.message}`);
    }
  }
  return { rows, failed };
}

/** Writes the rows that hold beside those that were there. */
async function write(rows: readonly Row[]): Promise<void> {
  const before: Figures = JSON.parse(await readFile(FIGURES, 'utf8'));
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}, Redis 7.0`;
  const takenOn = new Date().toISOString().slice(0, 10);
  const figures = { machine, rows: updated(before.rows, rows, takenOn) };
  await writeFile(FIGURES, `${JSON.stringify(figures, null, 2)}\n`);
  await writeFile(PAGE, withTable(await readFile(PAGE, 'utf8'), figures));
}

if (wanted.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const names = wanted.only?.split(',') ?? SCENARIOS.map(({ name }) => name);
for (const name of names) if (!SCENARIOS.some((one) => one.name === name)) misuse(`there is no scenario ${name}`);
if (wanted.write && wanted.unsafe) misuse('--write and --unsafe exclude each other');

const server = await mongodbServer();
// At the exit all that was started is ended.
process.once('exit', () => server.stop());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const { rows, failed } = await runAll(names, server.url);
const late = failures(rows);
for (const line of late) print(`✘ ${line}`);
if (wanted.write) await write(rows.filter((row) => failures([row]).length === 0));
const held = failed.length + late.length === 0;
print(held ? 'Nothing lost, nothing doubled.' : `failed: ${[...failed, ...late].join('; ')}`);
// A client of servers that are gone may go on looking for them.
process.exit(held ? 0 : 1);

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomFrom } from './random.ts';
import type { Outcome, Run, Scenario } from './scenario.ts';

export interface RunOptions {
  readonly seed: number;
  readonly safe: boolean;
  readonly mongodbUrl: string;
  readonly rounds?: number | undefined;
  readonly small?: boolean;
  readonly long?: boolean;
  /** Told of each line of the story. */
  readonly print?: (line: string) => void;
}

/** A scenario that was run. */
export interface Row {
  readonly name: string;
  readonly done: string;
  readonly rounds: number;
  readonly seed: number;
  readonly outcome: Outcome;
}

/** What happened, with the seed, and the folder where what the processes wrote is kept. */
export class ScenarioFailed extends Error {
  override readonly name = 'ScenarioFailed';
}

/**
 * Runs one scenario. @throws {ScenarioFailed} when something was lost, doubled or wrong, or the exchange did not
 * recover in time.
 */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<Row> {
  const { seed, safe, mongodbUrl, rounds = scenario.rounds, small = false, long = false } = options;
  const folder = await mkdtemp(join(tmpdir(), `faults-${scenario.name}-`));
  const story: string[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  const beganMs = performance.now();
  const say = (line: string): void => {
    story.push(`${((performance.now() - beganMs) / 1000).toFixed(1).padStart(7)} s  ${line}`);
    options.print?.(story.at(-1)!);
  };
  const run: Run = {
    ...{ rounds, safe, small, long, folder, mongodbUrl, say },
    random: randomFrom(seed),
    atEnd: (close) => void closing.push(close),
  };
  let failure: string | null = null;
  let outcome: Outcome | null = null;
  try {
    await mkdir(join(folder, 'processes'));
    outcome = await scenario.run(run);
    failure = failureOf(outcome, small ? undefined : scenario.withinMs);
  } catch (error) {
    failure = `${(error as Error).stack}${(error as Error).cause ? `\n${(error as Error).cause}` : ''}`;
  }
  for (const close of closing.reverse()) await close().catch((error) => say(`at the end: ${error}`));
  if (failure === null) {
    await rm(folder, { recursive: true, force: true });
    const { name, done } = scenario;
    return { name, done: done.replace(/\bN\b/, String(rounds)), rounds, seed, outcome: outcome! };
  }
  const told = [`${scenario.name} failed with --seed ${seed}${safe ? '' : ' --unsafe'}: ${failure}`, ...story];
  told.push(`What the processes wrote is kept in ${folder}`);
  await writeFile(join(folder, 'story.txt'), `${told.join('\n')}\n`);
  throw new ScenarioFailed(told.join('\n'));
}

function failureOf(outcome: Outcome, withinMs = Number.POSITIVE_INFINITY): string | null {
  const { acknowledged, billed, lost, doubled, recoveredMs } = outcome;
  const late =
    recoveredMs > withinMs ? [`recovered after ${Math.round(recoveredMs)} ms, promised are ${withinMs}`] : [];
  const wrong = [...outcome.wrong, ...late];
  if (lost === 0 && doubled === 0 && wrong.length === 0 && billed === acknowledged) return null;
  return [`${acknowledged} acknowledged, ${billed} billed, ${lost} lost, ${doubled} doubled`, ...wrong].join('\n');
}

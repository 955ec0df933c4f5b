import { nodeOptions } from '#version';
import { startChild } from '../processes/child.ts';
import { MEASURED_CORE } from '../processes/cores.ts';
import { micros, millis, type Row } from '../row.ts';
import type { Selectivity } from './market.ts';
import type { Matching, MatchingJob } from './measure-process.ts';

const TARGET_MICROS: Readonly<Record<number, number>> = { 1000: 20, 10000: 40, 100000: 100 };
const COMPILE_TARGET_MS = 1_500;
const CHANGE_TARGET_MICROS = 1_000;
const TARGET_BYTES = 3 * 1024;
const MOST = 100_000;
const REQUESTS = 3_000;

const WORDS: Readonly<Record<Selectivity, string>> = {
  each: 'any one condition holds for 10%',
  some: 'a condition holds for 10% of them',
  'nearly-all': 'nine of ten match',
};

/**
 * Measures the match of an imp among campaigns of eight conditions on average, for each meaning of the share of
 * matches.
 */
export async function matchingRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const selectivity of ['each', 'some'] as const) {
    for (const [campaigns, targetMicros] of Object.entries(TARGET_MICROS)) {
      const taken = await measured({ campaigns: Number(campaigns), selectivity, requests: REQUESTS });
      rows.push(matchRow(Number(campaigns), selectivity, taken, targetMicros));
      if (Number(campaigns) === MOST) rows.push(...indexRows(selectivity, taken));
    }
  }
  const worst = await measured({ campaigns: MOST, selectivity: 'nearly-all', requests: 100 });
  return [...rows, matchRow(MOST, 'nearly-all', worst, null)];
}

async function measured(job: MatchingJob): Promise<Matching> {
  // As the exchange runs; `--expose-gc` lets memory be counted after a collection.
  const options = ['--expose-gc', ...(await nodeOptions())];
  const child = startChild<Matching>(MEASURED_CORE, 'matching/measure-process.js', job, options);
  const result = await child.next();
  await child.stop();
  return result;
}

function matchRow(
  campaigns: number,
  of: Selectivity,
  { matchMicros, matches }: Matching,
  targetMicros: number | null,
): Row {
  const found = matches < 1 ? '' : `, ${Math.round(matches).toLocaleString('en-US')} match`;
  return row(
    `matching among ${campaigns.toLocaleString('en-US')} campaigns, ${WORDS[of]}, p50`,
    `${micros(matchMicros.p50)} (p99 ${micros(matchMicros.p99)}${found})`,
    targetMicros === null ? null : [`≤ ${micros(targetMicros)}`, matchMicros.p50 <= targetMicros],
  );
}

function indexRows(of: Selectivity, { compileMs, changeMicros, bytesPerCampaign }: Matching): Row[] {
  const index = `index of ${MOST.toLocaleString('en-US')} campaigns, ${WORDS[of]}`;
  const isQuick = changeMicros.p99 <= CHANGE_TARGET_MICROS;
  return [
    row(`${index}: compile`, millis(compileMs), [`≤ ${COMPILE_TARGET_MS} ms`, compileMs <= COMPILE_TARGET_MS]),
    row(
      `${index}: one campaign's change, p99`,
      `${micros(changeMicros.p99)} (most ${millis(changeMicros.most / 1000)})`,
      [`≤ ${micros(CHANGE_TARGET_MICROS)}`, isQuick],
    ),
    row(`${index}: memory a campaign`, `${Math.round(bytesPerCampaign)} bytes`, [
      `≤ ${TARGET_BYTES} bytes`,
      bytesPerCampaign <= TARGET_BYTES,
    ]),
  ];
}

function row(what: string, figure: string, goal: readonly [string, boolean] | null): Row {
  return { what, figure, floor: '', ratio: '', target: goal?.[0] ?? 'report', reached: goal?.[1] ?? null };
}

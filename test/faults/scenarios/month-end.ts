import { turnMonth } from '../month-end/turn-month.ts';
import { partitionsOr } from '../partitions.ts';
import type { Outcome, Run, Scenario } from '../suite/scenario.ts';

const PARTITIONS = partitionsOr(16);

/** A thousand campaigns, and the sources that belong to as many. */
const OF_A_THOUSAND = { publishers: 100, dsps: 10, campaigns: 1_000, accounts: 20 };
/** Minutes of each hour in which impressions are rendered. */
const MINUTES = { last: [0, 10, 20, 30, 40, 50, 58, 59], first: [0, 1, 10, 20, 30, 40, 50, 55] };

export const monthEnd: Scenario = {
  name: 'month-end',
  done: 'A month turns for N thousand campaigns, a tenth as many publishers, a hundredth as many DSPs: three of five nodes killed meanwhile',
  rounds: 100,
  run: endMonth,
};

async function endMonth(run: Run): Promise<Outcome> {
  const sizes = Object.fromEntries(
    Object.entries(OF_A_THOUSAND).map(([of, count]) => [of, count * run.rounds]),
  ) as unknown as typeof OF_A_THOUSAND;
  const { folder, random, say, atEnd } = run;
  const turn = await turnMonth({
    ...{ sizes, folder, random, say: (line) => say(line), atEnd, partitions: PARTITIONS, tuning: {} },
    minutes: MINUTES,
  });
  const { verified } = turn;
  say(
    `${verified.ledgers} ledgers of hours, ${verified.statements} statements, minutes of ${verified.minutesOf} owners`,
  );
  say(`audit: ${verified.audited}`);
  for (const { name, cpuSeconds, mostBytes } of turn.uses) {
    say(`${name}: ${cpuSeconds.toFixed(0)} s of CPU, ${Math.round(mostBytes / 2 ** 20)} MB resident at most`);
  }
  return {
    ...{ acknowledged: turn.acknowledged, billed: verified.billed, lost: verified.lost, doubled: verified.doubled },
    ...{ wrong: turn.wrong, adsMs: 0, impressionsMs: turn.longestAppendMs, asksMs: turn.longestAskMs },
    recoveredMs: turn.takeoverMs,
  };
}

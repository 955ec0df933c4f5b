import { InvalidSettings, readSettings, type Settings } from '../../settings.ts';
import { EXIT, type Run } from '../definition.ts';
import { inLines, styled } from '../terminal.ts';
import type { Check } from './check.ts';
import { clocks } from './checks/clocks.ts';
import { folders } from './checks/folders.ts';
import { hostNames } from './checks/host-names.ts';
import { mongodb } from './checks/mongodb.ts';
import { node } from './checks/node.ts';
import { ports } from './checks/ports.ts';
import { edgeRedis, factsRedis, redis, regionRedis } from './checks/redis.ts';
import { secretKey } from './checks/secret-key.ts';
import { settingsCheck } from './checks/settings.ts';
import { type Finding, fail, type Status } from './finding.ts';

/** The checks that need valid settings. */
const CHECKS: readonly Check[] = [
  settingsCheck,
  secretKey,
  folders,
  ports,
  redis,
  regionRedis,
  edgeRedis,
  factsRedis,
  mongodb,
  clocks,
  hostNames,
];

interface Checked extends Finding {
  readonly check: string;
}

export const run: Run<{ strict?: boolean }> = async ({ options: { strict = false } }) => {
  const checked = [...named('node', node()), ...(await checkSettings())];
  const count = (status: Status) => checked.filter((finding) => finding.status === status).length;
  const counts = { ok: count('ok'), warn: count('warn'), fail: count('fail') };
  const fails = counts.fail > 0 || (strict && counts.warn > 0);
  return {
    json: { status: counts.fail > 0 ? 'fail' : counts.warn > 0 ? 'warn' : 'ok', ...counts, findings: checked },
    text: `${checked.map(paragraphOf).join('')}${summaryOf(counts)}`,
    exitCode: fails ? EXIT.refused : EXIT.done,
  };
};

async function checkSettings(): Promise<readonly Checked[]> {
  let settings: Settings;
  try {
    settings = readSettings(process.env);
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    const todo = 'set it as docs/settings.md says, or unset it; the other checks follow then';
    return error.message.split('\n').flatMap((line) => named('settings', [fail(line, 'no process starts', todo)]));
  }
  const found = await Promise.all(CHECKS.map(async (check) => named(check.name, await find(check, settings))));
  return found.flat();
}

function find({ find }: Check, settings: Settings): Promise<readonly Finding[]> {
  return find(settings).catch((error: Error) => [
    fail(error.message, 'it could not be checked', 'mend that, and run exchange doctor again'),
  ]);
}

function named(check: string, findings: readonly Finding[]): Checked[] {
  return findings.map((finding) => ({ check, ...finding }));
}

const STYLES: Record<Status, Parameters<typeof styled>[0]> = { ok: 'green', warn: 'yellow', fail: 'red' };

function paragraphOf({ check, status, found, means, todo }: Checked): string {
  const lines = [`${styled(STYLES[status], status.padEnd(4))}  ${check.padEnd(10)}  ${inLines(found)}`];
  if (means !== null) lines.push(`${' '.repeat(18)}means: ${inLines(means)}`);
  if (todo !== null) lines.push(`${' '.repeat(18)}to do: ${todo}`);
  return `${lines.join('\n')}\n`;
}

function summaryOf({ ok, warn, fail }: Record<Status, number>): string {
  if (fail + warn === 0) return `All is well: ${ok} checks.\n`;
  return `${fail} failed, ${warn} to look at, ${ok} are well.\n`;
}

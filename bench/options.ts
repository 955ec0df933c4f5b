import { parseArgs } from 'node:util';

export const GROUPS = [
  'auctions',
  'workers',
  'http2',
  'matching',
  'catalogue',
  'delegates',
  'latency',
  'overload',
  'metrics',
  'actors',
  'asks',
  'impressions',
  'replicas',
  'management',
  'reports',
  'live',
  'pace',
  'propagation',
  'freshness',
  'memory',
  'growth',
  'dashboard',
  'scale',
  'counts',
  'draws',
  'soak',
] as const;
export type Group = (typeof GROUPS)[number];

/** What runs only when it is named: it takes long, or measures no part of the program. */
const BY_NAME_ONLY: readonly Group[] = ['soak', 'http2', 'scale', 'counts', 'draws', 'freshness'];

export interface Options {
  readonly only: ReadonlySet<Group>;
  /** Duration of the measurements under steady load, in minutes; null: that of each group. */
  readonly minutes: number | null;
  /** The revision whose auctions are compared with this one's; null: none. */
  readonly against: string | null;
  /** Number of rounds, each one measure and its floor. */
  readonly rounds: number;
  /** Whether a row that is not reached makes the run fail. */
  readonly strict: boolean;
}

/** @throws Error that names the wrong argument */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      minutes: { type: 'string' },
      rounds: { type: 'string' },
      against: { type: 'string' },
      strict: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(
      `Usage: npm run bench -- [--only ${GROUPS.join(',')}] [--rounds N] [--minutes N] [--against <revision>] [--strict]`,
    );
    process.exit(0);
  }
  const names = values.only?.split(',') ?? GROUPS.filter((name) => !BY_NAME_ONLY.includes(name));
  for (const name of names) {
    if (!GROUPS.includes(name as Group)) throw new Error(`--only takes ${GROUPS.join(', ')}, not "${name}"`);
  }
  return {
    only: new Set(names as Group[]),
    against: values.against ?? null,
    minutes: values.minutes === undefined ? null : positive('minutes', values.minutes, 1),
    rounds: Math.ceil(positive('rounds', values.rounds, 5)),
    strict: values.strict,
  };
}

function positive(name: string, given: string | undefined, fallback: number): number {
  const value = given === undefined ? fallback : Number(given);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not "${given}"`);
  return value;
}

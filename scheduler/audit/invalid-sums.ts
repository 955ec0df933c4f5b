import { isInvalidCount } from '../../actors/ledger/invalid-counts.ts';
import type { Difference } from './difference.ts';
import type { DeletedSandboxData } from './sandbox-gone.ts';

/** The counts of invalid traffic, by the names of actors/ledger/invalid-counts.ts. */
export type InvalidCounts = Map<string, bigint>;

export function addInvalidCounts(sum: InvalidCounts, counts: Readonly<Record<string, number>>): void {
  for (const name in counts) {
    if (isInvalidCount(name)) sum.set(name, (sum.get(name) ?? 0n) + BigInt(counts[name]!));
  }
}

/**
 * The counts as text, equal for equal counts: names with a count of 0 are left out. `gross` is the total that was not
 * charged.
 */
function invalidText(counts: InvalidCounts): string {
  const nanos = (counts.get('invalidNanos') ?? 0n) + (counts.get('revalidatedNanos') ?? 0n);
  const parts = [...counts]
    .filter(([, count]) => count !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${count}`);
  return `${parts.length === 0 ? 'none' : parts.join(', ')}; gross ${nanos}`;
}

/** Invalid traffic by key, as the ledgers of each side hold it. */
export class InvalidTable {
  readonly #sums = new Map<string, InvalidCounts>();

  of(key: string): InvalidCounts {
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      sum = new Map();
      this.#sums.set(key, sum);
    }
    return sum;
  }

  get keys(): string[] {
    return [...this.#sums.keys()].sort();
  }
}

function isWithin(a: InvalidCounts, b: InvalidCounts): boolean {
  return [...a].every(([name, count]) => count <= (b.get(name) ?? 0n));
}

/**
 * Checks that the invalid traffic of publishers = of demand sources = of the platform, by reason, for each environment,
 * day and region, and live of accounts too; in a sandbox that was reset, at most. `sides` is keyed by `<scope>
 * <environment> <day> <region>`.
 */
export function checkInvalidSides(sides: InvalidTable, { reset }: DeletedSandboxData): Difference[] {
  const differences: Difference[] = [];
  const scopesReset = new Set([...reset].map((source) => source.slice(0, source.indexOf(':'))));
  const places = new Set(sides.keys.map((key) => key.slice(key.indexOf(' ') + 1)));
  for (const place of [...places].sort()) {
    const platform = sides.of(`platform ${place}`);
    const isLive = place.startsWith('live ');
    for (const scope of isLive ? ['publisher', 'dsp', 'account'] : ['publisher', 'dsp']) {
      const sum = sides.of(`${scope} ${place}`);
      const [expected, found] = [invalidText(platform), invalidText(sum)];
      if (!isLive && scopesReset.has(scope) ? isWithin(sum, platform) : expected === found) continue;
      differences.push({
        check: `invalid traffic of ${SIDES[scope]} makes the platform’s`,
        where: place,
        expected,
        found,
      });
    }
  }
  return differences;
}

const SIDES: Readonly<Record<string, string>> = {
  publisher: 'publishers',
  dsp: 'demand sources',
  account: 'accounts',
};

/** The figures of the impression rollups of one UTC day, both environments. */
export interface InvalidRollupSums {
  readonly counts: InvalidCounts;
  readonly impressions: number;
  /** The number of ids, each by its first entry. */
  readonly taken: number;
}

/**
 * Checks that every id which a day's impression rollups have accepted is billed or invalid, once; and that their counts
 * of invalid traffic are those of the platform's ledgers of that day, or at least those on days whose sandbox is
 * deleted.
 */
export function checkInvalidRollups(
  platformDays: InvalidTable,
  rollups: ReadonlyMap<string, InvalidRollupSums>,
  isArchived: (day: string) => boolean,
  { before }: DeletedSandboxData,
): Difference[] {
  const differences: Difference[] = [];
  for (const day of [...new Set([...platformDays.keys, ...rollups.keys()])].sort()) {
    if (isArchived(day)) continue;
    const { counts, impressions, taken } = rollups.get(day) ?? { counts: new Map(), impressions: 0, taken: 0 };
    const { invalid, revalidated } = invalidIds(counts);
    if (BigInt(taken) !== BigInt(impressions) + invalid - revalidated) {
      const found = `${impressions} billed + ${invalid} invalid − ${revalidated} of these billed later`;
      differences.push({ check: 'ids taken in are billed or invalid', where: day, expected: `${taken} ids`, found });
    }
    const held = platformDays.of(day);
    const [expected, found] = [invalidText(counts), invalidText(held)];
    if (day < before ? isWithin(held, counts) : expected === found) continue;
    differences.push({ check: 'invalid traffic of tallies is in the ledgers', where: day, expected, found });
  }
  return differences;
}

function invalidIds(counts: InvalidCounts): { readonly invalid: bigint; readonly revalidated: bigint } {
  const totals = { invalid: 0n, revalidated: 0n };
  for (const [name, count] of counts) {
    if (name.startsWith('invalid/')) totals.invalid += count;
    else if (name.startsWith('revalidated/')) totals.revalidated += count;
  }
  return totals;
}

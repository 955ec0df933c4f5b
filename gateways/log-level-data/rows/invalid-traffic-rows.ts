import { INVALID, INVALID_NANOS, isInvalidCount, REVALIDATED, REVALIDATED_NANOS } from '#actors/ledger/invalid-counts';
import type { LedgerPage } from '#actors/ledger/page-schema';
import type { Hour } from '../hour.ts';
import type { Side } from '../layout.ts';
import { instant } from './row-fields.ts';

/**
 * What a ledger counts of invalid traffic in an hour, a row for each count of each region, by region and name. Single
 * invalid calls are kept nowhere.
 */
export function invalidTrafficRows(side: Side, id: string, page: LedgerPage, hour: Hour): string[] {
  return Object.keys(page)
    .sort()
    .flatMap((region) => {
      const { counts } = page[region]!;
      return Object.keys(counts)
        .filter((name) => isInvalidCount(name) && counts[name]! > 0)
        .sort()
        .map((name) =>
          JSON.stringify({
            hour: instant(hour.startMs),
            [`${side}_id`]: id,
            region,
            ...measureOf(name),
            value: counts[name],
          }),
        );
    });
}

function measureOf(name: string): { measure: string; reason: string | null } {
  if (name === INVALID_NANOS) return { measure: 'invalid_nanos', reason: null };
  if (name === REVALIDATED_NANOS) return { measure: 'revalidated_nanos', reason: null };
  const [measure = '', reason = null] = name.split('/', 2);
  return { measure: measure === INVALID ? 'invalid' : measure === REVALIDATED ? 'revalidated' : measure, reason };
}

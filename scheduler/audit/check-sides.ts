import type { Difference } from './difference.ts';
import type { LedgerSums } from './ledger-sums.ts';
import { addMoney, type MoneySum, MoneyTable, moneyText, noMoney, sameMoney, withinMoney } from './money-sum.ts';
import type { DeletedSandboxData } from './sandbox-gone.ts';

/**
 * Checks Σ publishers = Σ demand sources = platform, for each environment, day and region; in a sandbox that was reset,
 * at most. Live accounts must add up to the same, except where older edges may have sold without naming the account: on
 * days before the first account ledger, or where impressions of a publisher are in no budget window, which those edges
 * did not name either.
 */
export function checkSides({ sides, unwindowed }: LedgerSums, { reset }: DeletedSandboxData): Difference[] {
  const differences: Difference[] = [];
  const scopesReset = new Set([...reset].map((source) => source.slice(0, source.indexOf(':'))));
  const places = new Set(sides.keys.map((key) => key.slice(key.indexOf(' ') + 1)));
  const daysOf = (side: string) => sides.keys.filter((key) => key.startsWith(side)).map((key) => key.split(' ')[2]!);
  const [firstWithAccounts = '9999-12-31'] = daysOf('account live ').sort();
  const [firstDay = firstWithAccounts] = daysOf('platform live ').sort();
  const namesAll = (place: string, day: string) =>
    day > firstWithAccounts || (day === firstWithAccounts && day === firstDay) || !unwindowed.has(place);
  for (const place of [...places].sort()) {
    const platform = sides.of(`platform ${place}`);
    const [environment, day = ''] = place.split(' ');
    const compared = [
      ['publishers make the platform', 'publisher'],
      ['demand sources make the platform', 'dsp'],
      ...(environment === 'live' && namesAll(place, day) ? ([['accounts make the platform', 'account']] as const) : []),
    ] as const;
    for (const [check, scope] of compared) {
      const sum = sides.of(`${scope} ${place}`);
      const balances = environment === 'sandbox' && scopesReset.has(scope) ? withinMoney : sameMoney;
      if (!balances(sum, platform)) {
        differences.push({ check, where: place, expected: moneyText(platform), found: moneyText(sum) });
      }
    }
  }
  return differences;
}

/**
 * Checks that what a publisher sold to a demand source is what that demand source bought from it, wherever both have
 * named each other, and in the sandbox where neither was reset.
 */
export function checkPairs({ soldTo, boughtFrom, unnamed }: LedgerSums, { reset }: DeletedSandboxData): Difference[] {
  const differences: Difference[] = [];
  for (const key of [...new Set([...soldTo.keys, ...boughtFrom.keys])].sort()) {
    const [environment, day, region, publisher, dsp] = key.split(' ');
    const place = `${environment} ${day} ${region}`;
    if (unnamed.has(`${place} publisher:${publisher}`) || unnamed.has(`${place} dsp:${dsp}`)) continue;
    if (environment === 'sandbox' && (reset.has(`publisher:${publisher}`) || reset.has(`dsp:${dsp}`))) continue;
    const [sold, bought] = [soldTo.of(key), boughtFrom.of(key)];
    if (sameMoney(sold, bought)) continue;
    differences.push({
      check: 'sold is bought',
      where: `${place} publisher ${publisher}, demand source ${dsp}`,
      expected: moneyText(sold),
      found: moneyText(bought),
    });
  }
  return differences;
}

/** The campaigns and the demand sources that they belong to. */
export interface Campaigns {
  /** The demand source of each campaign. */
  readonly dspOf: ReadonlyMap<string, string>;
  /**
   * The demand sources that are delegates, with the first UTC day on which all that they bought was bought by
   * campaigns.
   */
  readonly delegateFrom: ReadonlyMap<string, string>;
}

/**
 * Checks that the campaigns of a demand source add up to at most its own sum, and to exactly that for a delegate, whose
 * impressions all belong to campaigns. Days without books of the platform are archived, and ledgers of campaigns alone
 * may have stayed (archive/archive-day.ts).
 */
export function checkCampaigns(
  { campaigns, dsps, sides }: LedgerSums,
  { dspOf, delegateFrom }: Campaigns,
  { reset, before }: DeletedSandboxData,
): Difference[] {
  const sums = new MoneyTable();
  const unknown = new Set<string>();
  for (const key of campaigns.keys) {
    const [environment, day, region, campaign = ''] = key.split(' ');
    const dsp = dspOf.get(campaign);
    const place = `${environment} ${day} ${region}`;
    if (dsp === undefined) unknown.add(place);
    else addMoney(sums.of(`${place} ${dsp}`), campaigns.of(key));
  }
  const isWhole = (environment: string, day: string, place: string, dsp: string) => {
    const fromDay = delegateFrom.get(dsp);
    if (fromDay === undefined || day < fromDay || unknown.has(place)) return false;
    return environment === 'live' || (!reset.has(`dsp:${dsp}`) && day >= before);
  };
  const differences: Difference[] = [];
  for (const where of [...new Set([...sums.keys, ...dsps.keys])].sort()) {
    const [environment = '', day = '', region, dsp = ''] = where.split(' ');
    const place = `${environment} ${day} ${region}`;
    if (sides.of(`platform ${place}`).impressions === 0) continue;
    const [sum, bought] = [sums.of(where), dsps.of(where)];
    if (!withinMoney(sum, bought)) {
      const expected = `at most ${moneyText(bought)}`;
      differences.push({ check: 'campaigns within their demand source', where, expected, found: moneyText(sum) });
    } else if (isWhole(environment, day, place, dsp) && !sameMoney(sum, bought)) {
      const expected = moneyText(bought);
      differences.push({ check: 'campaigns make their delegate', where, expected, found: moneyText(sum) });
    }
  }
  return differences;
}

/** The sums of the impression rollups by UTC day. */
export interface RollupSums {
  readonly days: ReadonlyMap<string, MoneySum>;
  /** True for a day whose rollups were archived. */
  readonly isArchived: (day: string) => boolean;
}

/**
 * Checks that the impression rollups of a day add up to the platform's ledgers of that day, both environments together;
 * on days whose sandbox is deleted, to at least that.
 */
export function checkRollups(
  { platformDays }: LedgerSums,
  rollups: RollupSums,
  { before }: DeletedSandboxData,
): Difference[] {
  const differences: Difference[] = [];
  for (const day of [...new Set([...platformDays.keys, ...rollups.days.keys()])].sort()) {
    const [held, folded] = [platformDays.of(day), rollups.days.get(day) ?? noMoney()];
    const balances = day < before ? withinMoney : sameMoney;
    if (rollups.isArchived(day) || balances(held, folded)) continue;
    differences.push({
      check: 'tallies are in the ledgers',
      where: day,
      expected: moneyText(folded),
      found: moneyText(held),
    });
  }
  return differences;
}

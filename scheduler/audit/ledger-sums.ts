import { isInvalidCount } from '../../actors/ledger/invalid-counts.ts';
import { type LedgerIdParts, parseLedgerId, utcDay } from '../../actors/ledger/ledger-id.ts';
import { OTHERS_KEY, rowName } from '../../actors/ledger/page.ts';
import type { LedgerState } from '../../actors/ledger/state.ts';
import { statementId } from '../../actors/statement/statement-id.ts';
import { type AuditPeriod, holdsDay, holdsHour, touchesDay } from './audit-period.ts';
import type { BudgetSpend } from './budget-spend.ts';
import { checkGrains } from './check-grains.ts';
import type { Difference } from './difference.ts';
import { addInvalidCounts, type InvalidCounts, InvalidTable } from './invalid-sums.ts';
import { addMoney, MoneyTable, moneyText, noMoney, sameMoney, withinMoney } from './money-sum.ts';
import type { WholeDay } from './whole-days.ts';

/** The place in which money is compared: environment, day and region. */
function placeOf({ sandbox, day }: LedgerIdParts, region: string): string {
  return `${sandbox ? 'sandbox' : 'live'} ${day} ${region}`;
}

/**
 * The sums of the ledgers of a stretch, added one by one in any order, with bounded memory for each. The parts of one
 * ledger must add up to its whole; `take` checks that.
 */
export class LedgerSums {
  readonly differences: Difference[] = [];
  /** The sums by scope and place. */
  readonly sides = new MoneyTable();
  /** The sums by place, publisher and demand source: as the publisher and as the demand source holds them. */
  readonly soldTo = new MoneyTable();
  readonly boughtFrom = new MoneyTable();
  /** The sums by place and campaign. */
  readonly campaigns = new MoneyTable();
  /** The sums by place and demand source. */
  readonly dsps = new MoneyTable();
  /** The sums of the platform by UTC day, both environments, for days that are wholly within the stretch. */
  readonly platformDays = new MoneyTable();
  /** The UTC days with live ledgers of the platform. */
  readonly livePlatformDays = new Set<string>();
  /** Invalid traffic by scope and place, and of the platform by UTC day, both environments. */
  readonly invalid = new InvalidTable();
  readonly invalidDays = new InvalidTable();
  /** Live spend by holder of a budget (`dsp:<id>`, `campaign:<id>`), then by UTC day of the sale; nano-dollars. */
  readonly spentBySaleDay = new Map<string, Map<string, bigint>>();
  /** Places and sources (`<place> <scope>:<id>`) with more counterparties than a page names. */
  readonly unnamed = new Set<string>();
  /** The number of ledgers that were added. */
  count = 0;
  /**
   * The oldest day of all live ledgers except those of campaigns, `yyyy-mm-dd`: earlier ledgers, if there were any, are
   * archived. Ledgers of campaigns may stay longer.
   */
  oldestLiveDay = '9999-12-31';
  /** The number of ledgers of all time, by the id of the statement that they belong on. */
  readonly ledgersOnStatement = new Map<string, number>();
  /** The statements on which a billed impression belongs. */
  readonly statementsDue = new Set<string>();
  /**
   * The places where some publisher's ledger holds impressions in no budget window: older edges reported neither the
   * time of the sale nor the account.
   */
  readonly unwindowed = new Set<string>();
  readonly #stretch: AuditPeriod;
  readonly #spent: BudgetSpend;

  /** `spent` receives the ledgers of all time too. */
  constructor(period: AuditPeriod, spent: BudgetSpend) {
    this.#stretch = period;
    this.#spent = spent;
  }

  take(ledger: WholeDay): void {
    const { id, state } = ledger;
    const name = parseLedgerId(id);
    const mayStay = name.sandbox || name.scope === 'campaign';
    if (!mayStay && name.day < this.oldestLiveDay) this.oldestLiveDay = name.day;
    this.#spent.take(name, state);
    this.#takeOnStatement(name, state);
    if (!touchesDay(this.#stretch, name.day)) return;
    this.count += 1;
    this.differences.push(...checkGrains(ledger, this.#stretch));
    const day = noMoney();
    const invalidOfDay: InvalidCounts = new Map();
    for (const [hour, page] of Object.entries(state.hours)) {
      if (!holdsHour(this.#stretch, name.day, Number(hour))) continue;
      for (const [region, sums] of Object.entries(page)) {
        addMoney(day, sums);
        const place = placeOf(name, region);
        addMoney(this.sides.of(`${name.scope} ${place}`), sums);
        if (name.scope !== 'campaign') this.#takeInvalid(`${name.scope} ${place}`, invalidOfDay, sums.counts);
        if (name.scope === 'dsp') addMoney(this.dsps.of(`${place} ${name.whose}`), sums);
        if (name.scope === 'campaign') addMoney(this.campaigns.of(`${place} ${name.whose}`), sums);
        if (name.scope === 'publisher' && sums.impressions > 0 && isUnwindowed(state)) this.unwindowed.add(place);
        this.#takeRows(name, place, `${id} ${hour}:00 ${region}`, sums);
      }
    }
    if (!holdsDay(this.#stretch, name.day)) return;
    if (name.scope === 'platform') {
      if (!name.sandbox) this.livePlatformDays.add(name.day);
      addMoney(this.platformDays.of(name.day), day);
      const held = this.invalidDays.of(name.day);
      for (const [counted, count] of invalidOfDay) held.set(counted, (held.get(counted) ?? 0n) + count);
    }
    this.#takeWindows(name, id, state, day.impressions, day.grossNanos);
  }

  #takeInvalid(key: string, day: InvalidCounts, counts: Readonly<Record<string, number>>): void {
    let any = false;
    for (const name in counts) any ||= isInvalidCount(name);
    if (!any) return;
    addInvalidCounts(this.invalid.of(key), counts);
    addInvalidCounts(day, counts);
  }

  #takeOnStatement({ scope, whose, day, sandbox }: LedgerIdParts, { hours }: LedgerState): void {
    if (sandbox || (scope !== 'publisher' && scope !== 'dsp')) return;
    const id = statementId(scope, whose, day.slice(0, 7));
    this.ledgersOnStatement.set(id, (this.ledgersOnStatement.get(id) ?? 0) + 1);
    const pages = Object.values(hours).flatMap((page) => Object.values(page));
    if (pages.some(({ impressions }) => impressions > 0)) this.statementsDue.add(id);
  }

  #takeRows(name: LedgerIdParts, place: string, where: string, sums: LedgerState['hours'][string][string]): void {
    const named = noMoney();
    for (const [key, row] of Object.entries(sums.counterparties)) {
      addMoney(named, row);
      const other = rowName(key);
      if (other === OTHERS_KEY && row.impressions > 0) this.unnamed.add(`${place} ${name.scope}:${name.whose}`);
      else if (name.scope === 'publisher') addMoney(this.soldTo.of(`${place} ${name.whose} ${other}`), row);
      else if (name.scope === 'dsp') addMoney(this.boughtFrom.of(`${place} ${other} ${name.whose}`), row);
    }
    const whole = { ...noMoney() };
    addMoney(whole, sums);
    // The ledgers of the platform and of accounts name no counterparties.
    const names = name.scope !== 'platform' && name.scope !== 'account';
    if (names && !sameMoney(named, whole)) this.#differ('counterparties make the whole', where, whole, named);
    const creatives = noMoney();
    for (const row of Object.values(sums.creatives)) addMoney(creatives, row);
    if (!withinMoney(creatives, whole)) this.#differ('creatives within the whole', where, whole, creatives);
  }

  /**
   * Checks that the impressions billed on a day are the same money by hour of the bill and by budget window of the
   * sale. Older entries have no window.
   */
  #takeWindows(name: LedgerIdParts, id: string, state: LedgerState, impressions: number, grossNanos: bigint): void {
    if (name.scope === 'platform' || name.scope === 'account') return;
    let inWindows = 0;
    let inWindowsNanos = 0n;
    for (const [slotMs, slot] of Object.entries(state.slots)) {
      inWindows += slot.impressions;
      inWindowsNanos += BigInt(slot.grossNanos);
      if (name.sandbox || name.scope === 'publisher') continue;
      const holder = `${name.scope}:${name.whose}`;
      const spent = this.spentBySaleDay.get(holder) ?? new Map<string, bigint>();
      this.spentBySaleDay.set(holder, spent);
      const soldOn = utcDay(Number(slotMs));
      spent.set(soldOn, (spent.get(soldOn) ?? 0n) + BigInt(slot.grossNanos));
    }
    // A ledger from before there were budget windows has none at all.
    if (isUnwindowed(state)) return;
    if (inWindows === impressions && inWindowsNanos === grossNanos) return;
    this.differences.push({
      check: 'slots make the day',
      where: id,
      expected: `${impressions} impressions, gross ${grossNanos}`,
      found: `${inWindows} impressions, gross ${inWindowsNanos}`,
    });
  }

  #differ(check: string, where: string, expected: Parameters<typeof moneyText>[0], found: typeof expected): void {
    this.differences.push({ check, where, expected: moneyText(expected), found: moneyText(found) });
  }
}

function isUnwindowed({ slots }: LedgerState): boolean {
  return Object.keys(slots).length === 0;
}

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

/** Where money was traded, as it is compared: environment, day and region. */
function placeOf({ sandbox, day }: LedgerIdParts, region: string): string {
  return `${sandbox ? 'sandbox' : 'live'} ${day} ${region}`;
}

/**
 * What the ledgers of a stretch add up to, taken one by one in any order and in bounded memory for each. Within one ledger
 * the parts must make the whole; that is found here.
 */
export class LedgerSums {
  readonly differences: Difference[] = [];
  /** By scope and place. */
  readonly sides = new MoneyTable();
  /** By place, publisher and demand source: as the one and as the other has it. */
  readonly soldTo = new MoneyTable();
  readonly boughtFrom = new MoneyTable();
  /** By place and campaign. */
  readonly campaigns = new MoneyTable();
  /** By place and demand source. */
  readonly dsps = new MoneyTable();
  /** Both environments by UTC day, of the platform; days that are within as a whole. */
  readonly platformDays = new MoneyTable();
  /** Invalid traffic by scope and place, and of the platform by UTC day, both environments. */
  readonly invalid = new InvalidTable();
  readonly invalidDays = new InvalidTable();
  /** Live, by holder of a budget (`dsp:<id>`, `campaign:<id>`), then by UTC day of the sale; nano-dollars. */
  readonly spentBySaleDay = new Map<string, Map<string, bigint>>();
  /** Places and sources (`<place> <scope>:<id>`) with more counterparties than a page names. */
  readonly unnamed = new Set<string>();
  /** Ledgers taken in. */
  count = 0;
  /** Of all live ledgers but campaigns', `yyyy-mm-dd`: those of before, if there were any, are archived. Campaigns' may stay longer. */
  oldestLiveDay = '9999-12-31';
  /** By id of the statement that they belong on: how many ledgers there are, of all time. */
  readonly ledgersOnStatement = new Map<string, number>();
  /** The statements on which anything billed belongs. */
  readonly statementsDue = new Set<string>();
  /** Places of which some publisher's ledger holds what is in no slot: older edges told neither when they sold nor for which account. */
  readonly unwindowed = new Set<string>();
  readonly #stretch: AuditPeriod;
  readonly #spent: BudgetSpend;

  /** `spent` takes the ledgers of all time, too. */
  constructor(stretch: AuditPeriod, spent: BudgetSpend) {
    this.#stretch = stretch;
    this.#spent = spent;
  }

  take(id: string, state: LedgerState): void {
    const name = parseLedgerId(id);
    const mayStay = name.sandbox || name.scope === 'campaign';
    if (!mayStay && name.day < this.oldestLiveDay) this.oldestLiveDay = name.day;
    this.#spent.take(name, state);
    this.#takeOnStatement(name, state);
    if (!touchesDay(this.#stretch, name.day)) return;
    this.count += 1;
    this.differences.push(...checkGrains({ id, state }, this.#stretch));
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
    // Platform and accounts name nobody.
    const names = name.scope !== 'platform' && name.scope !== 'account';
    if (names && !sameMoney(named, whole)) this.#differ('counterparties make the whole', where, whole, named);
    const creatives = noMoney();
    for (const row of Object.values(sums.creatives)) addMoney(creatives, row);
    if (!withinMoney(creatives, whole)) this.#differ('creatives within the whole', where, whole, creatives);
  }

  /** What was billed on a day, by hour of the bill and by slot of the sale, is the same money. Older entries have no slot. */
  #takeWindows(name: LedgerIdParts, id: string, state: LedgerState, impressions: number, grossNanos: bigint): void {
    if (name.scope === 'platform' || name.scope === 'account') return;
    let slotted = 0;
    let slottedNanos = 0n;
    for (const [slotMs, slot] of Object.entries(state.slots)) {
      slotted += slot.impressions;
      slottedNanos += BigInt(slot.grossNanos);
      if (name.sandbox || name.scope === 'publisher') continue;
      const holder = `${name.scope}:${name.whose}`;
      const spent = this.spentBySaleDay.get(holder) ?? new Map<string, bigint>();
      this.spentBySaleDay.set(holder, spent);
      const soldOn = utcDay(Number(slotMs));
      spent.set(soldOn, (spent.get(soldOn) ?? 0n) + BigInt(slot.grossNanos));
    }
    // A ledger from before there were slots has none at all.
    if (isUnwindowed(state)) return;
    if (slotted === impressions && slottedNanos === grossNanos) return;
    this.differences.push({
      check: 'slots make the day',
      where: id,
      expected: `${impressions} impressions, gross ${grossNanos}`,
      found: `${slotted} impressions, gross ${slottedNanos}`,
    });
  }

  #differ(check: string, where: string, expected: Parameters<typeof moneyText>[0], found: typeof expected): void {
    this.differences.push({ check, where, expected: moneyText(expected), found: moneyText(found) });
  }
}

function isUnwindowed({ slots }: LedgerState): boolean {
  return Object.keys(slots).length === 0;
}

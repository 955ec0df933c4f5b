import { GRAINS } from './grain.ts';
import type { Totals } from './messages.ts';
import { pack } from './packed-page.ts';
import { addPage, hasRoom, type Page, pageOfTotals } from './page.ts';
import type { LedgerState } from './state.ts';

type Pages = Readonly<Record<string, Page>>;

/** Until version 3: minutes of 70 minutes, ten minutes of seven hours, and no days. */
interface Version3 {
  readonly minutes: Pages;
  readonly tenMinutes: Pages;
  readonly hours: Pages;
  readonly open: Readonly<Record<string, Pick<Totals, 'minuteMs' | 'version' | 'regions' | 'slots'>>>;
  /** Version 1 did not say when what it holds was sold, version 2 could not be found by its age. */
  readonly slots?: LedgerState['slots'];
  readonly filedUnder?: string;
}

const MINUTES_KEPT = 70;
const DAY = 0;

/** Version 4 did not say what was sold under no lease. */
type Version4 = Omit<LedgerState, 'unleased'>;

export function upgradeLedger(older: unknown, version: number): LedgerState {
  return { ...(version < 4 ? upgradeVersion3(older) : (older as Version4)), unleased: {} };
}

/**
 * What a ledger of version 1 to 3 says, without loss: ten minutes older than the minutes that it kept become the first minute of
 * theirs, the day is the sum of its hours.
 */
function upgradeVersion3(older: unknown): Version4 {
  const { minutes, tenMinutes, hours, open, slots = {}, filedUnder = '' } = older as Version3;
  const kept = { hours: { ...hours }, minutes: { ...minutes }, slots };
  const state: Version4 = { filedUnder, names: [], daysOverflown: false, days: {}, ...kept, open: {} };
  const newest = Number(Object.keys(minutes).at(-1) ?? 0);
  for (const [index, page] of Object.entries(tenMinutes)) {
    const first = Number(index) * 10;
    if (first >= newest - MINUTES_KEPT + 1) continue;
    for (let minute = first; minute < first + 10; minute++) delete state.minutes[minute];
    state.minutes[first] = page;
  }
  for (const [index, page] of Object.entries(state.minutes)) {
    if (Number(index) < newest - 1) state.minutes[index] = pack(page as Page, state.names);
  }
  const { maxRows } = GRAINS.find(({ name }) => name === 'days')!;
  for (const page of Object.values(hours)) {
    if (state.daysOverflown || !hasRoom(state.days[DAY], page)) {
      state.daysOverflown = true;
      state.days = {};
      break;
    }
    state.days[DAY] ??= {};
    addPage(state.days[DAY], page, 1, { maxRows, mayName: () => true });
  }
  for (const [partition, { minuteMs, version, regions, slots: told }] of Object.entries(open)) {
    const packed = pack(pageOfTotals(regions), state.names);
    state.open[partition] = { minuteMs, version, packed, ...(told === undefined ? {} : { slots: told }) };
  }
  return state;
}

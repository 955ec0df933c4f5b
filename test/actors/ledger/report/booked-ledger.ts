import { ledger } from '#actors/ledger/ledger';
import { ledgerId } from '#actors/ledger/ledger-id';
import type { BilledSum, FactCounts } from '#actors/ledger/messages';
import type { StoredLedger } from '#actors/ledger/report/sum-ledgers';

/** A publisher's ledger of a UTC day, as the reducer leaves it after this was booked in the first minute of an hour. */
export function bookedLedger(
  day: string,
  hour: number,
  sum: BilledSum,
  counts: FactCounts['counts'] = {},
): StoredLedger {
  const minuteMs = Date.parse(`${day}T${String(hour).padStart(2, '0')}:00:00Z`);
  const id = ledgerId('publisher', 'p1', minuteMs, false);
  const state = ledger.initial(id);
  const context = {
    id,
    address: `ledger/${id}`,
    nowMs: minuteMs,
    position: `${minuteMs}-0`,
    random: () => 0,
  };
  const rows = { counterparties: [], creatives: [] };
  const regions = [{ region: 'fra', ...sum, ...rows }];
  const totals = { partition: 0, minuteMs, version: context.position, regions };
  ledger.handle(state, { type: 'totals', body: totals }, context);
  ledger.handle(state, { type: 'facts', body: { minuteMs, region: 'fra', counts, ...rows, latency: {} } }, context);
  return { id, state };
}

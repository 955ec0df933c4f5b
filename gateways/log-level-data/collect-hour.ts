import { feeNanos } from '#exchange/money/fee';
import { nanosPerImpression } from '#exchange/money/nanos';
import type { StateReads } from '#runtime/ports/store';
import { adjustmentsIn } from './adjustments-in.ts';
import type { Hour } from './hour.ts';
import type { Side } from './layout.ts';
import { readLedgerHours } from './ledger-hour.ts';
import type { ComparedSource } from './manifest.ts';
import { addBilled, type BilledSums, noneBilled, SourceSums } from './money-sums.ts';
import { type HourEvent, liveFeeds, readHour, readViews, type SeenView } from './read-hour.ts';
import { recordedAuctions } from './recorded-auctions.ts';
import { adjustmentRow } from './rows/adjustment-rows.ts';
import { dspAuction, publisherAuction } from './rows/auction-rows.ts';
import { impressionRows } from './rows/impression-rows.ts';
import { invalidTrafficRows } from './rows/invalid-traffic-rows.ts';
import { viewRows } from './rows/view-rows.ts';
import { winRows } from './rows/win-rows.ts';
import type { StagedFiles } from './staged-files.ts';
import { Turns } from './turns.ts';

export type HourStore = Pick<StateReads, 'idsBetween' | 'load' | 'find' | 'page' | 'query' | 'deadLetters'>;

/** The sums of an hour's rows beside those of the ledgers. */
export interface CollectedHour {
  /** By side and id. */
  readonly sources: readonly ComparedSource[];
  /** All rows of demand sources, and the platform's ledger. */
  readonly platform: Pick<ComparedSource, 'logged' | 'ledger'>;
}

/** The rows between two looks at the clock. */
const ROWS_A_LOOK = 32;

/** Collects the rows of an hour, which the watermark must have passed: every live event goes to both its sides. */
export async function collectHour(
  store: HourStore,
  hour: Hour,
  files: StagedFiles,
  signal: AbortSignal,
): Promise<CollectedHour> {
  const logged = new SourceSums();
  const all = noneBilled();
  const turns = new Turns();
  let looked = 0;
  const takeAll = async <T>(pages: AsyncIterable<Iterable<T>>, take: (event: T) => void) => {
    for await (const events of pages) {
      signal.throwIfAborted();
      for (const event of events) {
        take(event);
        if (files.mustFlush) await files.flush();
        if (++looked % ROWS_A_LOOK === 0 && turns.isOver) await turns.yield();
      }
    }
  };
  for await (const dspId of liveFeeds(store)) {
    await takeAll(readHour(store, dspId, hour), (event) => addEvent(event, dspId));
    await takeAll(readViews(store, dspId, hour), (seen) => addView(seen, dspId));
  }
  const ledgers = new SourceSums();
  const platform = noneBilled();
  for await (const { scope, id, page, billed } of readLedgerHours(store, hour)) {
    signal.throwIfAborted();
    if (scope === 'platform') addBilled(platform, billed);
    if (scope !== 'publisher' && scope !== 'dsp') continue;
    addBilled(ledgers.of(scope, id), billed);
    for (const row of invalidTrafficRows(scope, id, page, hour))
      files.add({ event: 'invalid_traffic', side: scope, id }, row);
    if (files.mustFlush) await files.flush();
    if (turns.isOver) await turns.yield();
  }
  for await (const { trade, booked } of adjustmentsIn(store, hour)) {
    const [event, { publisherId, dspId }] = ['adjustments' as const, trade];
    files.add({ event, side: 'publisher', id: publisherId }, adjustmentRow('publisher', trade, booked));
    files.add({ event, side: 'dsp', id: dspId }, adjustmentRow('dsp', trade, booked));
    if (files.mustFlush) await files.flush();
  }
  for await (const { id, record } of recordedAuctions(store, hour)) {
    signal.throwIfAborted();
    const { publisher } = record;
    const event = 'auctions';
    if (publisher !== null) files.add({ event, side: 'publisher', id: publisher.id }, publisherAuction(id, record));
    for (const part of record.parts) files.add({ event, side: 'dsp', id: part.dspId }, dspAuction(id, record, part));
    if (files.mustFlush) await files.flush();
    if (turns.isOver) await turns.yield();
  }
  return { sources: compared(logged, ledgers), platform: { logged: all, ledger: platform } };

  function addView(seen: SeenView, dspId: string): void {
    const rows = viewRows(seen, dspId);
    files.add({ event: 'views', side: 'publisher', id: seen.publisherId }, rows.publisher);
    files.add({ event: 'views', side: 'dsp', id: dspId }, rows.dsp);
  }

  function addEvent(event: HourEvent, dspId: string): void {
    if (event.type === 'win') {
      const { won, details } = event;
      const rows = winRows(won, details, dspId);
      files.add({ event: 'wins', side: 'publisher', id: won.publisherId }, rows.publisher);
      files.add({ event: 'wins', side: 'dsp', id: dspId }, rows.dsp);
      return;
    }
    const { shown, atMs } = event;
    const money = {
      priceNanos: nanosPerImpression(shown.priceCpmMicros),
      // Rows of releases up to 0.4 do not tell the fee: the ledgers then tell that it is missing.
      feeNanos: shown.feePpm === null ? 0 : feeNanos(shown.priceCpmMicros, shown.feePpm),
    };
    const sum: BilledSums = { impressions: 1, grossNanos: money.priceNanos, feeNanos: money.feeNanos };
    for (const to of [all, logged.of('publisher', shown.publisherId), logged.of('dsp', dspId)]) addBilled(to, sum);
    const rows = impressionRows(shown, dspId, atMs, money);
    files.add({ event: 'impressions', side: 'publisher', id: shown.publisherId }, rows.publisher);
    files.add({ event: 'impressions', side: 'dsp', id: dspId }, rows.dsp);
  }
}

function compared(logged: SourceSums, ledgers: SourceSums): ComparedSource[] {
  return (['publisher', 'dsp'] as const satisfies readonly Side[]).flatMap((side) =>
    [...new Set([...logged.ids(side), ...ledgers.ids(side)])]
      .sort()
      .map((id) => ({ side, id, logged: logged.get(side, id), ledger: ledgers.get(side, id) })),
  );
}

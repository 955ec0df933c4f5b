import Type, { type Static } from 'typebox';
import { feeNanos } from '../../exchange/money/fee.ts';
import { addNanos, nanosPerImpression } from '../../exchange/money/nanos.ts';
import type { Context } from '../../runtime/actor/context.ts';
import { slotOf } from '../budget/slot.ts';
import { Fed, feedImpression, nothingFed } from './fed.ts';
import type { Impression } from './messages.ts';
import { addRow, findRow } from './row-index.ts';

const Count = Type.Integer({ minimum: 0 });

/** Impressions that are alike in everything that a ledger tells apart. */
export const TallyRow = Type.Object({
  publisher: Type.String(),
  dsp: Type.String(),
  campaign: Type.Union([Type.String(), Type.Null()]),
  /** As books know it: see ledger/row-name.ts. */
  crid: Type.String(),
  region: Type.String(),
  sandbox: Type.Boolean(),
  /** The publisher's; absent where an older edge did not say. */
  account: Type.Optional(Type.String()),
  /** Start of the budget slot in which it was sold; absent where an older edge did not say. */
  slotMs: Type.Optional(Count),
  /** Absent: 0, as for all that is live. */
  publisherGeneration: Type.Optional(Count),
  dspGeneration: Type.Optional(Count),
  impressions: Count,
  grossNanos: Count,
  feeNanos: Count,
  /** The position of the last impression in it. */
  changedAt: Type.String(),
});

/** One minute of one impression partition. */
export const MinutePage = Type.Object({
  minuteMs: Count,
  /** The position of the last impression on it. */
  changedAt: Type.String(),
  rows: Type.Array(TallyRow),
});

export const TallyState = Type.Object({
  /** Oldest first; those that all ledgers have been told the last of are gone. */
  pages: Type.Array(MinutePage),
  /** Of the whole day, with the pages that are gone: what the ledgers' books must add up to. */
  day: Type.Object({ impressions: Count, grossNanos: Count, feeNanos: Count }),
  fed: Fed,
});

export type TallyRow = Static<typeof TallyRow>;
export type MinutePage = Static<typeof MinutePage>;
export type TallyState = Static<typeof TallyState>;

const MINUTE_MS = 60_000;

export function emptyTally(): TallyState {
  return { pages: [], day: { impressions: 0, grossNanos: 0, feeNanos: 0 }, fed: nothingFed() };
}

/** Folds one impression into the minute of its log time. Changes `state` in place: a tally is a lazy kind. */
export function foldImpression(state: TallyState, impression: Impression, context: Context): void {
  // A reducer that throws must not have changed anything: the largest sum, that of the day, is tried first.
  const grossNanos = nanosPerImpression(impression.priceCpmMicros);
  const fee = feeNanos(impression.priceCpmMicros, impression.feePpm);
  addNanos(state.day.grossNanos, grossNanos);
  const minuteMs = Math.floor(context.nowMs / MINUTE_MS) * MINUTE_MS;

  const newest = newestPage(state.pages, minuteMs, context.position);
  const found = findRow(state.pages, newest, impression);
  const page = newest ?? newPage(state.pages, minuteMs, context.position);
  const row = typeof found === 'string' ? newRow(page, impression, found, context.position) : found;
  for (const sum of [row, state.day]) {
    sum.impressions += 1;
    sum.grossNanos = addNanos(sum.grossNanos, grossNanos);
    sum.feeNanos = addNanos(sum.feeNanos, fee);
  }
  page.changedAt = context.position;
  row.changedAt = context.position;
  feedImpression(state.fed, impression, context);
}

/** Log time never goes back within a partition, so the page is the last one or a new one. */
function newestPage(pages: readonly MinutePage[], minuteMs: number, position: string): MinutePage | undefined {
  const newest = pages.at(-1);
  if (newest && newest.minuteMs > minuteMs)
    throw new Error(`log time went back from ${newest.changedAt} to ${position}`);
  return newest?.minuteMs === minuteMs ? newest : undefined;
}

function newPage(pages: MinutePage[], minuteMs: number, position: string): MinutePage {
  const page = { minuteMs, changedAt: position, rows: [] };
  pages.push(page);
  return page;
}

/** `crid`: as books know it. */
function newRow(page: MinutePage, impression: Impression, crid: string, position: string): TallyRow {
  const { publisher, dsp, campaign = null, region, sandbox = false } = impression;
  const row: TallyRow = {
    ...{ publisher, dsp, campaign, crid, region, sandbox, ...origin(impression), ...generations(impression) },
    ...{ impressions: 0, grossNanos: 0, feeNanos: 0, changedAt: position },
  };
  addRow(page, row);
  return row;
}

function origin({ account, soldAtMs }: Impression): Pick<TallyRow, 'account' | 'slotMs'> {
  return {
    ...(account === undefined ? {} : { account }),
    ...(soldAtMs === undefined ? {} : { slotMs: slotOf(soldAtMs) }),
  };
}

type Generations = Pick<TallyRow, 'publisherGeneration' | 'dspGeneration'>;

function generations({ publisherGeneration, dspGeneration }: Generations): Generations {
  return {
    ...(publisherGeneration === undefined ? {} : { publisherGeneration }),
    ...(dspGeneration === undefined ? {} : { dspGeneration }),
  };
}

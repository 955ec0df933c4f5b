import Type, { type Static } from 'typebox';
import type { Context, Send } from '../../runtime/actor/context.ts';
import { comparePositions } from '../../runtime/actor/position.ts';
import { readRow } from '../feed-page/event.ts';
import { feedPage } from '../feed-page/feed-page.ts';
import { feedId, impressionPageId, readPageId, stretchOf } from '../feed-page/feed-page-id.ts';
import { type PlacedRow, ShownRows } from '../feed-page/messages.ts';
import { firstFields, packRow, type Shown } from '../feed-page/packed-rows.ts';
import type { Impression } from './messages.ts';
import { partitionOfTally } from './tally-id.ts';

const Untold = Type.Omit(ShownRows, ['partition']);
type Untold = Static<typeof Untold>;

/** Impressions on their way to the feeds of their demand sources. */
export const Fed = Type.Object({
  /** The stretch of log time that is counted. */
  stretchMs: Type.Integer({ minimum: 0 }),
  /** Impressions of that stretch so far, by feed. */
  counted: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  /** By page: what it may not have been told of. */
  untold: Type.Record(Type.String(), Untold),
});

export type Fed = Static<typeof Fed>;

export function nothingFed(): Fed {
  return { stretchMs: 0, counted: {}, untold: {} };
}

/** Puts one impression onto its page of the feed, in place. */
export function feedImpression(fed: Fed, impression: Impression, { id, nowMs, position }: Context): void {
  if (impression.unfed === true) return;
  const startMs = stretchOf(nowMs);
  if (startMs !== fed.stretchMs) {
    fed.stretchMs = startMs;
    fed.counted = {};
  }
  const feed = feedId(impression.dsp, impression.sandbox ?? false, impression.dspGeneration);
  const before = fed.counted[feed] ?? 0;
  fed.counted[feed] = before + 1;
  const page = impressionPageId(feed, startMs, partitionOfTally(id), before);
  addShown(fed.untold, page, startMs, {
    position,
    trackingId: impression.id,
    auctionId: impression.auction,
    publisherId: impression.publisher,
    campaignId: impression.campaign ?? null,
    crid: impression.crid ?? null,
    priceCpmMicros: impression.priceCpmMicros,
    region: impression.region,
    soldAtMs: impression.soldAtMs ?? null,
  });
}

/** Of what is added to while it is in memory, so that its text is not looked through for each row. */
const firsts = new WeakMap<Untold, readonly string[]>();

function addShown(untold: Fed['untold'], page: string, startMs: number, shown: Shown): void {
  const rows = untold[page];
  if (rows === undefined) {
    const { position } = shown;
    untold[page] = { from: position, through: position, rows: packRow(shown, startMs, null) };
    return;
  }
  let first = firsts.get(rows);
  if (first === undefined) {
    first = firstFields(rows.rows);
    firsts.set(rows, first);
  }
  rows.rows += `;${packRow(shown, startMs, first)}`;
  rows.through = shown.position;
}

/** What pages must hear after `published`. */
export function feedSends(fed: Fed, published: string | null, partition: number): Send[] {
  const sends: Send[] = [];
  for (const [page, rows] of Object.entries(fed.untold)) {
    if (published !== null && comparePositions(rows.through, published) <= 0) continue;
    sends.push({ to: `${feedPage.kind}/${page}`, type: 'shown', body: { partition, ...rows } });
  }
  return sends;
}

/** Everything up to `published` has been told: that is forgotten here, in place. */
export function forgetFed(fed: Fed, published: string): void {
  for (const [page, { through }] of Object.entries(fed.untold)) {
    if (comparePositions(through, published) <= 0) delete fed.untold[page];
  }
}

/** Until version 4 of the tally rows were JSON, each with its position. */
export type FedRows = Omit<Fed, 'untold'> & { readonly untold: Readonly<Record<string, readonly PlacedRow[]>> };

export function packFed({ untold, ...counted }: FedRows): Fed {
  const fed: Fed = { ...counted, untold: {} };
  for (const [page, placed] of Object.entries(untold)) {
    const { startMs } = readPageId(page);
    for (const { position, row } of placed) {
      const { atMs: _, impId: __, ...event } = readRow(row);
      addShown(fed.untold, page, startMs, { position, ...event });
    }
  }
  return fed;
}

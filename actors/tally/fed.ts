import Type, { type Static } from 'typebox';
import type { Context, Send } from '../../runtime/actor/context.ts';
import { comparePositions } from '../../runtime/actor/position.ts';
import { feedPage } from '../feed-page/feed-page.ts';
import {
  feedId,
  firstPageId,
  furtherPageId,
  IMPRESSIONS_ON_FIRST,
  IMPRESSIONS_ON_FURTHER,
  stretchOf,
} from '../feed-page/feed-page-id.ts';
import { ShownRows } from '../feed-page/messages.ts';
import { firstFields, packRow, type Shown } from '../feed-page/packed-rows.ts';
import type { Impression } from './messages.ts';
import { partitionOfTally } from './tally-id.ts';

const Untold = Type.Omit(ShownRows, ['partition']);
type Untold = Static<typeof Untold>;

const Count = Type.Integer({ minimum: 0 });

/** How far the pages of one feed have got in a stretch. */
const Counted = Type.Object({
  /** So far. */
  impressions: Count,
  /** The number of the further page that is written to, and the impressions on it. */
  further: Count,
  onFurther: Count,
});

/** Impressions on their way to the feeds of their demand sources. */
export const Fed = Type.Object({
  /** The stretch of log time that is counted. */
  stretchMs: Count,
  /** By feed. */
  counted: Type.Record(Type.String(), Counted),
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
  addShown(fed.untold, nextPage(fed, feed, partitionOfTally(id)), startMs, {
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

/**
 * The page that the next impression of a feed goes on. Once a further page has been told it is done with, so that each hears of
 * a partition once, and is written while its partitions take their turns: a page that went on for seconds would be written
 * whole in each.
 */
function nextPage({ stretchMs, counted, untold }: Fed, feed: string, partition: number): string {
  counted[feed] ??= { impressions: 0, further: 0, onFurther: 0 };
  const of = counted[feed];
  of.impressions += 1;
  if (of.impressions <= IMPRESSIONS_ON_FIRST) return firstPageId(feed, stretchMs);
  let page = furtherPageId(feed, stretchMs, partition, of.further);
  if (of.onFurther === IMPRESSIONS_ON_FURTHER || (of.onFurther > 0 && untold[page] === undefined)) {
    of.further += 1;
    of.onFurther = 0;
    page = furtherPageId(feed, stretchMs, partition, of.further);
  }
  of.onFurther += 1;
  return page;
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

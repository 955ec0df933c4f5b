import Type, { type Static } from 'typebox';
import type { Context, Send } from '../../runtime/actor/context.ts';
import { comparePositions } from '../../runtime/actor/position.ts';
import { eventRow } from '../feed-page/event.ts';
import { feedPage } from '../feed-page/feed-page.ts';
import { feedId, impressionPageId, stretchOf } from '../feed-page/feed-page-id.ts';
import { PlacedRow } from '../feed-page/messages.ts';
import type { Impression } from './messages.ts';

/** Impressions on their way to the feeds of their demand sources. */
export const Fed = Type.Object({
  /** The stretch of log time that is counted. */
  stretchMs: Type.Integer({ minimum: 0 }),
  /** Impressions of that stretch so far, by feed. */
  counted: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  /** By page: what it may not have been told of, in the order of positions. */
  untold: Type.Record(Type.String(), Type.Array(PlacedRow)),
});

export type Fed = Static<typeof Fed>;

export function nothingFed(): Fed {
  return { stretchMs: 0, counted: {}, untold: {} };
}

/** Puts one impression onto its page of the feed, in place. */
export function feedImpression(
  fed: Fed,
  impression: Impression,
  { nowMs, position }: Pick<Context, 'nowMs' | 'position'>,
): void {
  if (impression.unfed === true) return;
  const { id, auction, publisher, dsp, campaign, crid, priceCpmMicros, region, soldAtMs } = impression;
  const startMs = stretchOf(nowMs);
  if (startMs !== fed.stretchMs) {
    fed.stretchMs = startMs;
    fed.counted = {};
  }
  const feed = feedId(dsp, impression.sandbox ?? false, impression.dspGeneration);
  const before = fed.counted[feed] ?? 0;
  fed.counted[feed] = before + 1;
  const row = eventRow({
    atMs: nowMs,
    trackingId: id,
    auctionId: auction,
    impId: null,
    publisherId: publisher,
    campaignId: campaign ?? null,
    crid: crid ?? null,
    priceCpmMicros,
    region,
    soldAtMs: soldAtMs ?? null,
  });
  const page = impressionPageId(feed, startMs, before);
  const events = fed.untold[page];
  if (events === undefined) fed.untold[page] = [{ position, row }];
  else events.push({ position, row });
}

/** What pages must hear after `published`. What everybody was told of is forgotten here, in place. */
export function feedSends(fed: Fed, published: string | null, partition: number): Send[] {
  const sends: Send[] = [];
  for (const [page, placed] of Object.entries(fed.untold)) {
    const events =
      published === null ? placed : placed.filter(({ position }) => comparePositions(position, published) > 0);
    if (events.length === 0) {
      delete fed.untold[page];
      continue;
    }
    fed.untold[page] = events;
    sends.push({ to: `${feedPage.kind}/${page}`, type: 'impressions', body: { partition, events } });
  }
  return sends;
}

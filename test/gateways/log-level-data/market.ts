import { encodeUntimedRow, type FeedEvent, type WinDetails } from '#actors/feed-page/feed-event';
import { feedPage } from '#actors/feed-page/feed-page';
import { feedId, viewFeedId, winQueueId } from '#actors/feed-page/feed-page-id';
import type { FeedPageState } from '#actors/feed-page/reduce';
import { encodeUntimedView, type ViewedImpression } from '#actors/feed-page/view-row';
import { acknowledgeFeedOutbox } from '#actors/impression-rollup/feed-outbox';
import type { Impression, InvalidImpression } from '#actors/impression-rollup/messages';
import { emptyImpressionRollup, foldImpression, foldInvalid } from '#actors/impression-rollup/reduce';
import type { ImpressionRollupState } from '#actors/impression-rollup/state';
import { dropPublishedPages, unpublishedSends } from '#actors/impression-rollup/totals';
import { ledger } from '#actors/ledger/ledger';
import { HOUR_MS, parseLedgerId, utcDay } from '#actors/ledger/ledger-id';
import type { LedgerState } from '#actors/ledger/state';
import { FILED_HOURS_ID, LEDGER_WATERMARK_ID, watermark } from '#actors/watermark/watermark';
import type { EmbeddedStoreAlone } from '../../scheduler/jobs/embedded-store.ts';

/** The books and feeds of a market, made by the reducers that make them in the exchange. */
export class Market {
  readonly ledgers = new Map<string, LedgerState>();
  readonly pages = new Map<string, FeedPageState>();
  readonly #rollups = new Map<string, ImpressionRollupState>();
  readonly #partitions: number;
  #filedThroughMs = 0;
  #sequence = 0;

  constructor(partitions = 3) {
    this.#partitions = partitions;
  }

  /** Bills an impression at an instant of the log's clock; call in the order of time. */
  bill(impression: Impression, atMs: number): void {
    const { id, context, state } = this.#rollupAt(atMs);
    foldImpression(state, impression, context);
    this.#publish(id, state, context.position);
  }

  invalid(impression: InvalidImpression, atMs: number): void {
    const { id, context, state } = this.#rollupAt(atMs);
    foldInvalid(state, impression, context);
    this.#publish(id, state, context.position);
  }

  win(dspId: string, won: Omit<FeedEvent, 'atMs'>, details: WinDetails, atMs: number): void {
    this.#handlePage(winQueueId(feedId(dspId, false), '0.0'), 'wins', { rows: [encodeUntimedRow(won, details)] }, atMs);
  }

  view(dspId: string, seen: ViewedImpression, atMs: number): void {
    this.#handlePage(winQueueId(viewFeedId(dspId), '0.0'), 'wins', { rows: [encodeUntimedView(seen)] }, atMs);
  }

  /**
   * Files the hours that end by `throughMs` in their days, as the job does.
   * @param purge whether their own ledgers are deleted, as hours later
   */
  fileHours(throughMs: number, { purge }: { readonly purge: boolean }): void {
    for (const [id, state] of [...this.ledgers]) {
      const { day, hour } = parseLedgerId(id);
      if (hour === null || Date.parse(`${day}T00:00:00Z`) + (hour + 1) * HOUR_MS > throughMs) continue;
      ledger.handle(state, { type: 'close', body: {} }, contextOf(`ledger/${id}`, throughMs, 0));
      for (const { to, type, body } of ledger.totals!(state, null, id))
        if (type === 'hour') this.#handleLedger(to, type, body);
      if (purge) this.ledgers.delete(id);
    }
    this.#filedThroughMs = throughMs;
  }

  async save(to: EmbeddedStoreAlone, throughMs: number): Promise<void> {
    for (const [id, state] of this.ledgers) await to.put(ledger.kind, id, state);
    for (const [id, state] of this.pages) await to.put(feedPage.kind, id, state);
    await to.put(watermark.kind, LEDGER_WATERMARK_ID, { throughMs });
    await to.put(watermark.kind, FILED_HOURS_ID, { throughMs: this.#filedThroughMs });
  }

  #rollupAt(atMs: number) {
    const number = this.#sequence++;
    const id = `${number % this.#partitions}:${utcDay(atMs)}`;
    const state = this.#rollups.get(id) ?? emptyImpressionRollup();
    this.#rollups.set(id, state);
    return { id, state, context: contextOf(`tally/${id}`, atMs, number) };
  }

  #publish(id: string, state: ImpressionRollupState, position: string): void {
    for (const { to, type, body } of unpublishedSends(state, null, id)) {
      const [kind = '', receiver = ''] = [to.slice(0, to.indexOf('/')), to.slice(to.indexOf('/') + 1)];
      if (kind === feedPage.kind) this.#handlePage(receiver, type, body, 0);
      else this.#handleLedger(to, type, body);
    }
    dropPublishedPages(state.pages, position);
    acknowledgeFeedOutbox(state.fed, position);
  }

  #handleLedger(to: string, type: string, body: unknown): void {
    const id = to.slice(to.indexOf('/') + 1);
    const held = this.ledgers.get(id) ?? (ledger.initial(id) as LedgerState);
    this.ledgers.set(id, held);
    ledger.handle(held, { type, body: structuredClone(body) } as never, contextOf(to, 0, 0));
  }

  #handlePage(address: string, type: string, body: unknown, nowMs: number): void {
    const id = feedPage.idAt!(address, nowMs);
    const state = this.pages.get(id) ?? (feedPage.initial(id) as FeedPageState);
    this.pages.set(id, state);
    feedPage.handle(state, { type, body: structuredClone(body) } as never, contextOf(`feed-page/${id}`, nowMs, 0));
  }
}

function contextOf(address: string, nowMs: number, sequence: number) {
  const id = address.slice(address.indexOf('/') + 1);
  return { id, address, nowMs, position: `${nowMs}-${sequence}`, random: () => 0 };
}

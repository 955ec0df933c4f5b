import { feedId } from '#actors/feed-page/feed-page-id';
import { type FeedPosition, feedPositionAt, timeOfPosition } from '#gateways/management/resources/feed/cursor';
import { readEvents } from '#gateways/management/resources/feed/read-events';
import type { Violations } from '#runtime/simulator/auditor/violations';
import type { Cluster } from '#runtime/simulator/cluster';
import type { SeededRandom } from '#runtime/simulator/seeded-random';
import { EPOCH_MS } from '#runtime/simulator/virtual-time';
import { readWatermark } from '#scheduler/watermark/read-watermark';
import type { BrokenMoney } from './broken-money.ts';
import type { CornerCaseCounts } from './corner-case-counts.ts';
import type { MoneyModel } from './money-model.ts';

const PAUSE_MS = 2_500;
const PATIENCE_MS = 5_000;
const FEED = 'the feed is the model';

/**
 * A buyer that reads its feed for months with one cursor, at whichever process answers. It outlives them all: what it
 * was told before its process died it has, what it was not told it asks for again.
 */
export class FeedReader {
  readonly #dspId: string;
  readonly #cluster: Cluster;
  readonly #model: MoneyModel;
  readonly #random: SeededRandom;
  readonly #violations: Violations;
  readonly #corners: CornerCaseCounts;
  readonly #broken: BrokenMoney;
  /** Tracking ids, with when they were billed. */
  readonly #read = new Map<string, number>();
  #cursor: FeedPosition = feedPositionAt(EPOCH_MS);
  #ended = false;

  constructor(
    dspId: string,
    { cluster, model, violations }: { cluster: Cluster; model: MoneyModel; violations: Violations },
    corners: CornerCaseCounts,
    random: SeededRandom,
    broken: BrokenMoney,
  ) {
    this.#dspId = dspId;
    this.#cluster = cluster;
    this.#model = model;
    this.#random = random;
    this.#violations = violations;
    this.#corners = corners;
    this.#broken = broken;
  }

  async follow(): Promise<void> {
    const { time } = this.#cluster.world;
    while (!this.#ended) {
      await time.sleep(this.#random.exponential(PAUSE_MS), 'a buyer reads its feed');
      const { reachable } = this.#cluster;
      if (reachable.length === 0) continue;
      const member = this.#random.pick(reachable);
      const limit = this.#random.pick([1, 7, 100, 5_000]);
      // What comes after its reader has given it up is of no concern: the cursor is the reader's.
      const from = this.#cursor;
      const asked = this.#ask(member.store, limit, from).catch(() => false);
      const told = (await time.atMost(asked, PATIENCE_MS, 'a buyer asks again')) ?? false;
      if (!told && member.process.dead) this.#corners.count('a feed is read on after the death of who was asked');
      else if (!told) this.#corners.count('a feed is read on after an answer that did not come');
    }
  }

  /** What is billed is read, once, at the time at which it was billed. */
  async end(store: Parameters<typeof readEvents>[0] & Parameters<typeof readWatermark>[0]['store']): Promise<void> {
    this.#ended = true;
    while (await this.#ask(store, 5_000, this.#cursor));
    const due = [...this.#model.billable.values()].filter(({ impression }) => impression.dsp === this.#dspId);
    for (const { impression, atMs } of due) {
      if (this.#read.get(impression.id) !== atMs) {
        this.#violations.add(
          FEED,
          `${this.#dspId} read ${impression.id} of ${atMs} at ${this.#read.get(impression.id)}`,
        );
      }
    }
    if (due.length !== this.#read.size) {
      this.#violations.add(FEED, `${this.#dspId} read ${this.#read.size} impressions of ${due.length}`);
    }
    this.#corners.count('impressions read from a feed', this.#read.size);
  }

  /** Whether there was an answer with something in it. */
  async #ask(
    store: Parameters<typeof readEvents>[0] & Parameters<typeof readWatermark>[0]['store'],
    limit: number,
    from: FeedPosition,
  ): Promise<boolean> {
    const throughMs = this.#broken.has('feeds-wait-for-books')
      ? this.#cluster.log.nowMs
      : await readWatermark({ store });
    const wanted = { after: from, throughMs, limit, type: null };
    const { events, next } = await readEvents(store, feedId(this.#dspId, false), wanted);
    if (from !== this.#cursor) return false;
    for (const { position: place } of events) {
      const id = place.slice(place.indexOf('_') + 1);
      if (this.#read.has(id)) this.#violations.add(FEED, `${this.#dspId} read ${id} twice`);
      if (place <= this.#cursor) this.#violations.add(FEED, `${this.#dspId} read ${place} behind ${this.#cursor}`);
      this.#read.set(id, timeOfPosition(place));
      this.#cursor = place;
    }
    if (next < this.#cursor) this.#violations.add(FEED, `${this.#dspId} is sent back to ${next}`);
    this.#cursor = next;
    return this.#ended ? events.length > 0 : true;
  }
}

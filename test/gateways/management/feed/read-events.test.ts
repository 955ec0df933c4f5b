import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { encodeEventRow } from '#actors/feed-page/feed-event';
import { feedPage } from '#actors/feed-page/feed-page';
import { lowestPageId, PAGE_SPAN_MS } from '#actors/feed-page/feed-page-id';
import { packRow } from '#actors/feed-page/packed-rows';
import { feedPositionAt } from '#gateways/management/resources/feed/cursor';
import { readEvents } from '#gateways/management/resources/feed/read-events';
import type { FeedStore } from '#gateways/management/resources/feed/read-feed-pages';
import type { ActorDocument, StateStore } from '#runtime/ports/store';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';

const START_MS = Date.UTC(2026, 2, 14, 12);

/** A stretch: how many after the one before, and how many pages of how many events. */
interface Stretch {
  readonly after: number;
  readonly pages: number;
  readonly events: number;
}

const stretches = fc.array(
  fc.record({
    // From the next one to the one of days later.
    after: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 30_000 })),
    // More than one query answers, too.
    pages: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 4 }) },
      { weight: 1, arbitrary: fc.constant(40) },
    ),
    events: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 8 },
);

describe('reading a feed', () => {
  let folder: string;
  let embedded: Awaited<ReturnType<typeof openEmbedded>>;
  let store: StateStore;
  let feeds = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'feed-'));
    embedded = await openEmbedded({ folder, partitions: 1, clock: systemClock });
    store = embedded.store;
    await store.prepare([{ kind: feedPage.kind, indexes: [] }]);
  });
  it('reads on where an older release had indexed pages and wrote of them', async () => {
    const older = await mkdtemp(join(tmpdir(), 'older-feed-'));
    const opened = { folder: older, partitions: 1, clock: systemClock };
    try {
      const before = await openEmbedded(opened);
      await before.store.prepare([{ kind: feedPage.kind, indexes: ['key', 'startMs'] }]);
      const written = await write('older:live', [{ after: 1, pages: 3, events: 2 }], before.store);
      await before.close();
      const now = await openEmbedded(opened);
      await now.store.prepare([{ kind: feedPage.kind, indexes: feedPage.indexes ?? [] }]);
      const after = await write('older:live', [{ after: 5, pages: 2, events: 2 }], now.store);
      const wanted = { after: feedPositionAt(START_MS), throughMs: after.endMs, limit: 100, type: null };
      const read = await readEvents(now.store, 'older:live', wanted);
      await now.close();
      expect(read.events.map(({ position: place }) => place)).to.deep.equal([...written.ids, ...after.ids]);
    } finally {
      await rm(older, { recursive: true });
    }
  });

  after(async () => {
    await embedded?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  /** Writes the pages of a feed and answers the ids of its events in their order. */
  async function write(feed: string, all: readonly Stretch[], into = store): Promise<{ ids: string[]; endMs: number }> {
    const documents: ActorDocument[] = [];
    const events: { readonly atMs: number; readonly id: string }[] = [];
    let startMs = START_MS;
    for (const { after, pages, events: count } of all) {
      startMs += after * PAGE_SPAN_MS;
      for (let page = 0; page < pages; page++) {
        const holds = page % 2 === 0 ? 'impression' : 'win';
        const id = `${lowestPageId(feed, startMs)}:${holds[0]}${page}`;
        const state = feedPage.initial(id);
        for (let event = 0; event < count; event++) {
          const atMs = startMs + ((page * 37 + event * 4_999) % PAGE_SPAN_MS);
          const trackingId = `t${events.length}`;
          const names = { trackingId, auctionId: 'a', publisherId: 'p', campaignId: null, crid: null };
          const common = { ...names, priceCpmMicros: 1, region: 'fra', soldAtMs: null };
          // Every other page of impressions is of an older release.
          if (page % 4 !== 0) state.rows.push(encodeEventRow({ atMs, ...common, impId: null }));
          else
            state.shown.push(
              packRow({ position: `${atMs}-0`, ...common, feePpm: 0, revalidates: null }, startMs, null),
            );
          events.push({ atMs, id: `${holds}_${trackingId}` });
        }
        documents.push(saved(id, state));
      }
    }
    await into.save(documents);
    const ids = events.sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1)).map(({ atMs, id }) => `${atMs} ${id}`);
    return { ids, endMs: startMs + PAGE_SPAN_MS };
  }

  it('reads every event once, in order, whatever the limit and the progress of the ledgers', async () => {
    await fc.assert(
      fc.asyncProperty(stretches, fc.integer({ min: 1, max: 60 }), fc.nat(100), async (all, limit, percent) => {
        const feed = `dsp-${feeds++}:live`;
        const { ids, endMs } = await write(feed, all);
        await write(`${feed}-other`, all);
        const seen: string[] = [];
        // Twice: as far as the books are, and once they have gone on.
        const halfMs = Math.round(START_MS + ((endMs - START_MS) * percent) / 100);
        let after = feedPositionAt(START_MS);
        for (const throughMs of [halfMs, endMs]) {
          for (let more = true; more; ) {
            const read = await readEvents(store, feed, { after, throughMs, limit, type: null });
            expect(read.events).to.have.length.of.at.most(limit);
            expect(read.next >= after).to.equal(true);
            seen.push(...read.events.map(({ position: place }) => place));
            after = read.next;
            more = read.hasMore;
          }
          expect(seen).to.deep.equal(ids.filter((place) => Number(place.slice(0, 13)) < throughMs));
        }
        const wins = await readEvents(store, feed, {
          ...{ after: feedPositionAt(START_MS), throughMs: endMs, limit: 10_000, type: 'win' },
        });
        expect(wins.events.map(({ position: place }) => place)).to.deep.equal(
          ids.filter((place) => place.includes('win_')),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('passes by so many events of another type for one answer, and goes on behind them', async () => {
    const feed = `dsp-${feeds++}:live`;
    // Even pages hold impressions, odd ones wins.
    const { ids, endMs } = await write(feed, [
      { after: 1, pages: 1, events: 3 },
      { after: 1, pages: 1, events: 3 },
      { after: 90, pages: 2, events: 2 },
    ]);
    const wanted = { throughMs: endMs, limit: 10, type: 'win' } as const;
    const first = await readEvents(store, feed, { ...wanted, after: feedPositionAt(START_MS) }, 4);
    expect(first).to.deep.equal({ events: [], hasMore: true, next: ids[5] });
    const second = await readEvents(store, feed, { ...wanted, after: first.next }, 4);
    expect(second.events.map(({ position: place }) => place)).to.deep.equal(
      ids.filter((place) => place.includes('win_')),
    );
  });

  it('passes by an idle week at once', async () => {
    const { asked, store: counted } = counting();
    const throughMs = START_MS + 7 * 86_400_000;
    const read = await readEvents(counted, 'idle:live', {
      after: feedPositionAt(START_MS),
      throughMs,
      limit: 1,
      type: null,
    });
    expect(read).to.deep.equal({ events: [], hasMore: false, next: feedPositionAt(throughMs) });
    expect(asked).to.deep.equal({ names: 1, pages: 0 });
  });

  it('loads a few stretches for a few events, however much there is', async () => {
    const feed = `dsp-${feeds++}:live`;
    const { ids, endMs } = await write(
      feed,
      Array.from({ length: 300 }, () => ({ after: 1, pages: 2, events: 1 })),
    );
    const { asked, store: counted } = counting();
    const wanted = { throughMs: endMs, limit: 5, type: null };
    const read = await readEvents(counted, feed, { ...wanted, after: ids[299]! });
    expect(read.events.map(({ position: place }) => place)).to.deep.equal(ids.slice(300, 305));
    expect(asked.pages).to.be.at.most(10);
    expect(asked.names).to.be.at.most(32);
  });

  /** The store, and how much of it has been asked for. */
  function counting() {
    const asked = { names: 0, pages: 0 };
    const counted: FeedStore = {
      idsBetween: async (kind, range) => {
        const found = await store.idsBetween(kind, range);
        asked.names += Math.max(1, found.length);
        return found;
      },
      load: (keys, fields) => {
        asked.pages += keys.length;
        return store.load(keys, fields);
      },
    };
    return { asked, store: counted };
  }
});

function saved(id: string, state: object): ActorDocument {
  return {
    ...{ kind: feedPage.kind, id, partition: 0, version: 1, writer: 'w', position: '1-0', schema: 1, deleted: false },
    ...{ state, outbox: [], viewPending: false, received: {}, replies: {}, published: null },
  };
}

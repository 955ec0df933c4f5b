import { expect } from 'chai';
import fc from 'fast-check';
import { decodeEventRow, encodeEventRow } from '#actors/feed-page/feed-event';
import { feedPage } from '#actors/feed-page/feed-page';
import { feedId, firstPageId, lowestPageId, PAGE_SPAN_MS, parsePageId } from '#actors/feed-page/feed-page-id';
import { packedEvents, packRow } from '#actors/feed-page/packed-rows';
import type { FeedPageState } from '#actors/feed-page/reduce';
import type { Impression } from '#actors/impression-rollup/messages';
import { START_MS, TallyNode } from '../ledger/tally-node.ts';

const PARTITIONS = 3;
const DSPS = ['dsp-x', 'dsp-y', 'dsp:z/1'];

type Act = 'save' | 'crash-unsaved' | 'crash-unpublished' | 'crash-published';
type Step =
  | {
      readonly do: 'impressions';
      readonly partition: number;
      readonly count: number;
      readonly waitMs: number;
      readonly of: Pick<Impression, 'dsp' | 'priceCpmMicros' | 'sandbox' | 'dspGeneration' | 'unfed'>;
    }
  | { readonly do: Act; readonly partition: number }
  | { readonly do: 'echo'; readonly seed: number };

const impressions = fc.record({
  do: fc.constant('impressions' as const),
  partition: fc.nat(PARTITIONS - 1),
  // More than go on one page.
  count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 400 })),
  waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2 * PAGE_SPAN_MS })),
  of: fc.record(
    {
      dsp: fc.constantFrom(...DSPS),
      priceCpmMicros: fc.oneof(fc.integer({ min: 0, max: 50_000_000 }), fc.constant(10_000_000_000)),
      sandbox: fc.boolean(),
      dspGeneration: fc.integer({ min: 1, max: 2 }),
      unfed: fc.boolean(),
    },
    { requiredKeys: ['dsp', 'priceCpmMicros'] },
  ),
});
const acts = ['save', 'crash-unsaved', 'crash-unpublished', 'crash-published'] as const;
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: impressions },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom<Act>(...acts), partition: fc.nat(PARTITIONS - 1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('echo' as const), seed: fc.nat() }) },
);

/** The pages that rollups send to: they receive everything in order, and old messages again. */
class Pages {
  readonly states = new Map<string, FeedPageState>();
  readonly #heard: { id: string; body: unknown }[] = [];

  tell = (to: string, body: unknown): void => {
    if (!to.startsWith('feed-page/')) return;
    const id = to.slice('feed-page/'.length);
    this.#heard.push({ id, body: structuredClone(body) });
    this.#handle(id, body);
  };

  echo(seed: number): void {
    if (this.#heard.length === 0) return;
    const { id, body } = this.#heard[seed % this.#heard.length]!;
    this.#handle(id, structuredClone(body));
  }

  /** Everything on the pages of one feed. */
  eventsOf(feed: string) {
    return [...this.states]
      .filter(([id]) => id.startsWith(`${feed}:`))
      .flatMap(([id, { shown, startMs }]) => {
        const events = shown.flatMap((packed) => packedEvents(packed, startMs));
        return events.map(({ atMs, read }) => ({ page: parsePageId(id), event: { atMs, ...read() } }));
      });
  }

  #handle(id: string, body: unknown): void {
    expect(feedPage.idAt!(id, 0), 'a page is addressed by its own name').to.equal(id);
    const state = this.states.get(id) ?? feedPage.initial(id);
    this.states.set(id, state);
    const context = { id, address: `feed-page/${id}`, nowMs: 0, position: '0-0', random: () => 0 };
    feedPage.handle(state, { type: 'shown', body } as never, context);
  }
}

describe('the feeds', () => {
  it('hold each impression once, through crashes, repetitions and late echoes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const pages = new Pages();
        const nodes = Array.from({ length: PARTITIONS }, (_, partition) => new TallyNode(partition, pages.tell));
        const billed: Impression[] = [];
        for (const one of steps) {
          if (one.do === 'echo') pages.echo(one.seed);
          else if (one.do !== 'impressions') nodes[one.partition]!.act(one.do);
          else
            for (let number = 0; number < one.count; number++) {
              const id = `impression-${billed.length}`;
              const common = { id, auction: 'a', publisher: 'p', feePpm: 0, region: 'fra' };
              const impression = { ...common, ...one.of };
              billed.push(impression);
              nodes[one.partition]!.append(impression, number === 0 ? one.waitMs : 0);
            }
        }
        for (const node of nodes) node.act('save');
        for (let seed = 0; seed < 20; seed++) pages.echo(seed * 7);

        for (const dsp of DSPS) {
          for (const [sandbox, generation] of [
            [false, 0],
            [true, 0],
            [true, 1],
            [true, 2],
          ] as const) {
            const own = billed.filter(
              (one) =>
                one.dsp === dsp &&
                one.unfed !== true &&
                (one.sandbox ?? false) === sandbox &&
                (!sandbox || (one.dspGeneration ?? 0) === generation),
            );
            const told = pages.eventsOf(feedId(dsp, sandbox, generation));
            const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id).sort();
            expect(idsOf(told.map(({ event }) => ({ id: event.trackingId })))).to.deep.equal(idsOf(own));
            for (const { page, event } of told) {
              expect(page.holds).to.equal('impression');
              expect(event.atMs).to.be.within(page.startMs, page.startMs + PAGE_SPAN_MS - 1);
              const impression = own.find(({ id }) => id === event.trackingId)!;
              expect(event.priceCpmMicros).to.equal(impression.priceCpmMicros);
            }
          }
        }
        for (const [id, { shown, startMs, through }] of pages.states) {
          const events = shown.flatMap((packed) => packedEvents(packed, startMs)).length;
          expect(events).to.be.at.most((id.endsWith(':i0') ? 16 : 256) * Object.keys(through).length);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('leave nothing in a rollup that its pages have', () => {
    const pages = new Pages();
    const node = new TallyNode(0, pages.tell);
    const impression = { id: 'i', auction: 'a', publisher: 'p', dsp: 'd', priceCpmMicros: 1, feePpm: 0, region: 'fra' };
    node.append(impression, 0);
    node.act('save');
    node.append({ ...impression, id: 'j' }, PAGE_SPAN_MS);
    node.act('save');
    node.act('save');
    expect(Object.keys(node.state.fed.untold)).to.deep.equal([]);
    expect(pages.eventsOf(feedId('d', false)).map(({ event }) => event.trackingId)).to.deep.equal(['i', 'j']);
  });

  it('take again what they have in part, as rows of a newer message or of an older release', () => {
    const page = firstPageId('d:live', START_MS);
    const state = feedPage.initial(page);
    const handle = (type: string, body: object) =>
      feedPage.handle(state, { type, body } as never, {
        ...{ id: page, address: `feed-page/${page}`, nowMs: 0, position: '0-0', random: () => 0 },
      });
    const of = (number: number) => ({
      ...{ position: `${START_MS + number}-0`, trackingId: `t${number}`, auctionId: 'a', publisherId: 'publisher' },
      ...{ campaignId: null, crid: null, priceCpmMicros: 7, region: 'fra', soldAtMs: null },
      ...{ feePpm: null, revalidates: null },
    });
    const older = (...numbers: number[]) => ({
      partition: 0,
      events: numbers.map((number) => {
        const { position, ...event } = of(number);
        return { position, row: encodeEventRow({ ...event, atMs: START_MS + number, impId: null }) };
      }),
    });
    const newer = (...numbers: number[]) => {
      const rows = numbers.map((number) => packRow(of(number), START_MS, null)).join(';');
      return { partition: 0, from: of(numbers[0]!).position, through: of(numbers.at(-1)!).position, rows };
    };
    handle('impressions', older(1, 2));
    handle('shown', newer(2, 3, 4));
    handle('impressions', older(3, 4, 5));
    handle('shown', newer(1, 2));
    handle('shown', newer(4, 5, 6));
    handle('shown', newer(7));
    expect(state.rows.map((row) => decodeEventRow(row).trackingId)).to.deep.equal(['t1', 't2', 't5']);
    const shown = state.shown.flatMap((packed) => packedEvents(packed, START_MS));
    expect(shown.map(({ trackingId }) => trackingId)).to.deep.equal(['t3', 't4', 't6', 't7']);
  });

  it('give wins the time and the page of the log', () => {
    const lane = 'd:live:w3.0';
    const atMs = Date.UTC(2026, 2, 14, 12, 0, 9, 999);
    const page = feedPage.idAt!(lane, atMs);
    expect(page).to.equal(`${lowestPageId('d:live', Date.UTC(2026, 2, 14, 12))}:w3.0`);
    expect(parsePageId(page).holds).to.equal('win');
    const state = feedPage.initial(page);
    const context = { id: page, address: `feed-page/${page}`, nowMs: atMs, position: `${atMs}-0`, random: () => 0 };
    const rows = ['["t","a","1","p",null,null,7,"fra",5]'];
    feedPage.handle(state, { type: 'wins', body: { rows } }, context);
    expect(state.rows.map(decodeEventRow)).to.deep.equal([
      {
        ...{ atMs, trackingId: 't', auctionId: 'a', impId: '1', publisherId: 'p', campaignId: null, crid: null },
        ...{ priceCpmMicros: 7, region: 'fra', soldAtMs: 5 },
      },
    ]);
  });

  it('know no page by another name', () => {
    for (const id of ['', 'd', 'd:live', 'd:live:x0', 'd:live:12:i0', 'd:live:aaaaaaaaaaaaa:i0']) {
      expect(() => feedPage.idAt!(id, 0), id).to.throw('no page is named');
    }
  });
});

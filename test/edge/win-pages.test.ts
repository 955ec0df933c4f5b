import { expect } from 'chai';
import { BSON } from 'mongodb';
import { lowestPageId, PAGE_SPAN_MS, pageIdAt } from '../../actors/feed-page/feed-page-id.ts';
import { emptyPage, type FeedPageState, feedPageHandlers } from '../../actors/feed-page/reduce.ts';
import type { SoldImp } from '../../edge/auction/sold-imp.ts';
import { WinFeed, type WonAuction } from '../../edge/win-feed.ts';
import { LogUnavailable } from '../../runtime/actor/errors.ts';
import { decodeEnvelope } from '../../runtime/node/envelope.ts';
import { hashAddress } from '../../runtime/node/kind-registry.ts';
import type { AppendOnceOutcome, IdempotentEntry } from '../../runtime/ports/log.ts';
import { MemoryReplica } from '../support/memory-replica.ts';
import { aSale } from './tracking/a-sale.ts';

const STRETCH_MS = Date.UTC(2026, 2, 14, 12);
const MEGABYTE = 1_048_576;
const FEED = 'dsp-1:live';

/** The pages of a feed, as they are after the log has taken what edges append. */
class Pages {
  readonly partitions = 4;
  readonly byId = new Map<string, FeedPageState>();
  nowMs = STRETCH_MS;
  isAway = false;

  async appendOnce(_partition: number, entries: readonly IdempotentEntry[]): Promise<AppendOnceOutcome[]> {
    if (this.isAway) throw new LogUnavailable('away');
    return entries.map(({ payload }) => {
      const { to, body } = decodeEnvelope(payload);
      const id = pageIdAt(to.slice('feed-page/'.length), this.nowMs);
      const page = this.byId.get(id) ?? emptyPage(id);
      feedPageHandlers.wins(page, body as { rows: string[] }, { ...CONTEXT, nowMs: this.nowMs });
      this.byId.set(id, page);
      return 'appended';
    });
  }

  get names(): string[] {
    return [...this.byId.keys()].map((id) => id.slice(lowestPageId(FEED, STRETCH_MS).length + 1));
  }

  get wins(): number {
    return [...this.byId.values()].reduce((sum, { rows }) => sum + rows.length, 0);
  }

  get largestMegabytes(): number {
    return Math.max(...[...this.byId.values()].map((page) => BSON.calculateObjectSize(page) / MEGABYTE));
  }
}

const CONTEXT = { id: 'x', address: 'x/x', nowMs: 0, position: '1-0', random: () => 0 };

/** Names of edges that all share the same pages. */
function edgesOfOneLane(count: number): string[] {
  const names: string[] = [];
  for (let number = 0; names.length < count; number++) {
    if (hashAddress(`edge-${number}`) % 8 === 3) names.push(`edge-${number}`);
  }
  return names;
}

describe('the pages of wins', () => {
  let pages: Pages;
  beforeEach(() => {
    pages = new Pages();
  });

  const open = (edge: string) => {
    const clock = { now: () => pages.nowMs, monotonic: () => pages.nowMs, after: () => () => undefined };
    return new WinFeed({ log: pages, replica: new MemoryReplica(), clock, edge, storesAll: true });
  };
  const sold = (idBytes: number): SoldImp => {
    const id = 'x'.repeat(idBytes);
    const sale = aSale({ auctionId: id, crid: id, issuedAtMs: STRETCH_MS });
    const win = { impId: id, dealId: id, format: 'banner', bid: { w: 300, h: 250 } };
    return { win, sale, trackingId: 'wX4nL0p8Qm2tYbV6cZ1aRg' } as SoldImp;
  };
  const auction = (idBytes: number): WonAuction => ({
    pool: { id: 'pool-1' } as WonAuction['pool'],
    request: { device: { geo: { country: 'X'.repeat(idBytes) } } },
  });
  /** Each edge sells `perSecond` imps in each of so many seconds, and appends them if the log is there. */
  const sell = async (edges: readonly WinFeed[], perSecond: number, seconds: number, idBytes: number) => {
    const wins = Array<SoldImp>(perSecond).fill(sold(idBytes));
    for (let second = 0; second < seconds; second++) {
      for (const edge of edges) {
        edge.add(wins, auction(idBytes));
        await edge.flush();
      }
      pages.nowMs += 1_000;
    }
  };

  it('stay small however many edges of a lane sell with the longest ids', async () => {
    const edges = edgesOfOneLane(4).map(open);
    await sell(edges, 500, 10, 256);
    expect(pages.wins).to.equal(20_000);
    expect(pages.largestMegabytes).to.be.below(2.5);
  });

  it('stay small when the log takes in one stretch what has waited', async () => {
    const edges = edgesOfOneLane(3).map(open);
    pages.isAway = true;
    await sell(edges, 500, 15, 256);
    await sell(edges, 20, 30, 256);
    pages.isAway = false;
    for (const edge of edges) await edge.flush();
    expect(pages.wins).to.equal(3 * (15 * 500 + 30 * 20));
    expect(pages.largestMegabytes).to.be.below(2.5);
  });

  it('are found by whoever reads the stretch, those of an edge’s own too', async () => {
    await sell(edgesOfOneLane(2).map(open), 1_000, 1, 20);
    expect(pages.names).to.have.length.above(2);
    for (const id of pages.byId.keys()) {
      expect(id > lowestPageId(FEED, STRETCH_MS) && id < lowestPageId(FEED, STRETCH_MS + PAGE_SPAN_MS)).to.equal(true);
    }
  });

  it('are shared where edges sell little, for as long as they do', async () => {
    await sell(edgesOfOneLane(3).map(open), 20, 60, 36);
    expect(new Set(pages.names.map((name) => name.slice(-4)))).to.deep.equal(new Set(['w3.0']));
    expect(pages.byId.size).to.equal(6);
  });
});

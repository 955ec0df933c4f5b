import { expect } from 'chai';
import { decodeEventRow, decodeWinRow, withRowTime } from '../../actors/feed-page/feed-event.ts';
import { decodeViewRow } from '../../actors/feed-page/view-row.ts';
import type { SoldImp } from '../../edge/auction/sold-imp.ts';
import { WinFeed, type WonAuction } from '../../edge/win-feed.ts';
import { LogUnavailable } from '../../runtime/actor/errors.ts';
import { decodeEnvelope } from '../../runtime/node/envelope.ts';
import type { AppendOnceOutcome, IdempotentEntry } from '../../runtime/ports/log.ts';
import { makeDspProjection } from '../support/dsp-projection.ts';
import { MemoryReplica } from '../support/memory-replica.ts';
import { aSale } from './tracking/a-sale.ts';

/** A log that appends each id once; while away it may or may not have appended. */
class Log {
  readonly partitions = 4;
  readonly appended = new Map<string, IdempotentEntry>();
  away: 'no' | 'before' | 'after' = 'no';
  nowMs = 0;

  async appendOnce(_partition: number, entries: readonly IdempotentEntry[]): Promise<AppendOnceOutcome[]> {
    if (this.away === 'before') throw new LogUnavailable('away');
    const outcomes = entries.map((entry): AppendOnceOutcome => {
      if (this.nowMs >= entry.expiresAtMs) return 'expired';
      if (this.appended.has(entry.id)) return 'repeated';
      this.appended.set(entry.id, entry);
      return 'appended';
    });
    if (this.away === 'after') throw new LogUnavailable('away');
    return outcomes;
  }

  /** Tracking ids by what they are addressed to. */
  told(): Record<string, string[]> {
    const told: Record<string, string[]> = {};
    for (const { payload } of this.appended.values()) {
      const { to, body } = decodeEnvelope(payload);
      const ids = (body as { rows: string[] }).rows.map(
        (row) => decodeEventRow(withRowTime(row, 1_000_000_000_000)).trackingId,
      );
      told[to] = [...(told[to] ?? []), ...ids];
    }
    return told;
  }
}

describe('the wins that an edge tells feeds', () => {
  let log: Log;
  let replica: MemoryReplica;
  let feed: WinFeed;
  let nowMs: number;
  beforeEach(() => {
    log = new Log();
    replica = new MemoryReplica();
    nowMs = Date.UTC(2026, 2, 14, 12);
    const clock = { now: () => nowMs, monotonic: () => nowMs, after: () => () => undefined };
    feed = new WinFeed({ log, replica, clock, edge: 'fra-1' });
  });

  const sold = (trackingId: string, fields: Parameters<typeof aSale>[0] = {}): SoldImp =>
    ({
      win: { impId: '1', dealId: 'deal-1', format: 'banner', bid: { w: 300, h: 250 } },
      sale: aSale(fields),
      trackingId,
    }) as SoldImp;
  const auction: WonAuction = {
    pool: { id: 'pool-1' } as WonAuction['pool'],
    request: { device: { geo: { country: 'DEU' } } },
  };
  const told = () => Object.values(log.told()).flat();

  it('go to the source’s feed, in batches: few to a page that edges share, more to pages of this edge alone', async () => {
    feed.add(
      Array.from({ length: 2_001 }, (_, number) => sold(`t${number}`)),
      auction,
    );
    feed.add([sold('other', { dspId: 'dsp-2' })], auction);
    await feed.flush();
    const named = (to: string) => to.replace(/w\d\.0$/, 'shared').replace(/w\d\.\w+\.0$/, 'own');
    expect(Object.fromEntries(Object.entries(log.told()).map(([to, ids]) => [named(to), ids.length]))).to.deep.equal({
      'feed-page/dsp-1:live:shared': 1_001,
      'feed-page/dsp-1:live:own': 1_000,
      'feed-page/dsp-2:live:shared': 1,
    });
    await feed.flush();
    expect(told(), 'once').to.have.length(2_002);
  });

  it('go to the sandbox’s feed of its generation, and to none where none is wanted', async () => {
    replica.put('dsp', makeDspProjection({ endpointUrl: null, status: 'sandbox', sandboxGeneration: 3 }));
    replica.put('dsp', makeDspProjection({ id: 'dsp-2', endpointUrl: null, eventFeed: false }));
    feed.add([sold('a', { sandbox: true }), sold('b', { dspId: 'dsp-2' })], auction);
    await feed.flush();
    expect(Object.keys(log.told())).to.have.length(1);
    expect(Object.keys(log.told())[0]).to.match(/^feed-page\/dsp-1:sandbox\.3:w\d\.0$/);
  });

  it('are sent once, whether the log was away before or after it took them', async () => {
    for (const away of ['before', 'after'] as const) {
      log.away = away;
      feed.add([sold(`while away ${away}`)], auction);
      await feed.flush();
      log.away = 'no';
      await feed.flush();
    }
    expect(told()).to.deep.equal(['while away before', 'while away after']);
    expect(feed.dropped).to.equal(0);
  });

  it('are dropped and counted when there are too many, or the log was away for too long', async () => {
    log.away = 'before';
    feed.add(
      Array.from({ length: 50_003 }, (_, number) => sold(`t${number}`)),
      auction,
    );
    expect(feed.dropped).to.equal(3);
    await feed.flush();
    nowMs += 300_000;
    await feed.flush();
    expect(feed.dropped).to.equal(50_003);
    log.away = 'no';
    feed.add([sold('after it')], auction);
    await feed.close();
    expect(told()).to.deep.equal(['after it']);
  });

  it('tell what log-level data says of a sale, and with it the wins of sources without a feed', async () => {
    replica.put('dsp', makeDspProjection({ id: 'dsp-2', endpointUrl: null, eventFeed: false }));
    const clock = { now: () => nowMs, monotonic: () => nowMs, after: () => () => undefined };
    const whole = new WinFeed({ log, replica, clock, edge: 'fra-1', storesAll: true });
    whole.add([sold('a', { dspId: 'dsp-2' })], auction);
    await whole.flush();
    const [entry] = log.appended.values();
    const { rows } = decodeEnvelope(entry!.payload).body as { rows: string[] };
    const { won, details } = decodeWinRow(withRowTime(rows[0]!, 1_000_000_000_000));
    expect(won).to.deep.include({ atMs: 1_000_000_000_000, trackingId: 'a', impId: '1' });
    expect(details).to.deep.equal({
      ...{ poolId: 'pool-1', dealId: 'deal-1', format: 'banner', width: 300, height: 250, country: 'DEU' },
    });
  });

  it('are stored as a feed shows them where there is no log-level data', async () => {
    feed.add([sold('a')], auction);
    await feed.flush();
    const [entry] = log.appended.values();
    const { rows } = decodeEnvelope(entry!.payload).body as { rows: string[] };
    expect(JSON.parse(rows[0]!)).to.have.length(9);
  });

  it('have views beside them, which no feed of wins shows', async () => {
    feed.add([sold('a')], auction);
    const view = { measure: 'viewable', publisherId: 'p', campaignId: null, crid: 'c', region: 'fra' } as const;
    feed.addView('dsp-1', { trackingId: 'a', ...view, soldAtMs: 1_000_000_000_000 });
    await feed.flush();
    const views = [...log.appended.values()]
      .map(({ payload }) => decodeEnvelope(payload))
      .find(({ to }) => to.includes(':views:'));
    expect(views!.to).to.match(/^feed-page\/dsp-1:views:w\d\.0$/);
    const { rows } = views!.body as { rows: string[] };
    expect(decodeViewRow(withRowTime(rows[0]!, 1_000_000_000_500))).to.deep.equal({
      ...{ atMs: 1_000_000_000_500, trackingId: 'a', ...view, soldAtMs: 1_000_000_000_000 },
    });
    expect(Object.keys(log.told())).to.have.length(2);
  });

  it('have views that are as bounded as wins', async () => {
    const view = { measure: 'viewable', publisherId: 'p', campaignId: null, crid: 'c'.repeat(9_000) } as const;
    feed.addView('dsp-1', { trackingId: 'a', ...view, region: 'fra', soldAtMs: 1_000_000_000_000 });
    await feed.flush();
    const [entry] = log.appended.values();
    const { rows } = decodeEnvelope(entry!.payload).body as { rows: string[] };
    expect(decodeViewRow(withRowTime(rows[0]!, 1_000_000_000_500)).crid).to.equal('c'.repeat(256));
  });
});

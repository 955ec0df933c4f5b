import { expect } from 'chai';
import { facts } from '#actors/facts/facts';
import { ledger } from '#actors/ledger/ledger';
import { dayLedgerId, hourOfLedger } from '#actors/ledger/ledger-id';
import type { ClosedHour, MinuteBatch } from '#actors/ledger/messages';
import { assembleDays, type LedgerReads, readLedgerPages } from '#actors/ledger/read-ledgers';
import { countOf } from '#actors/ledger/report/ledger-sum';
import {
  daysBetween,
  hoursBetween,
  type LedgerOwner,
  type ReportWindow,
  reportWindowOf,
} from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import type { LedgerState } from '#actors/ledger/state';
import { factsMinutes, ledgerMinutes } from '#actors/ledger-minutes/ledger-minutes';
import type { LedgerMinutesState } from '#actors/ledger-minutes/state';
import { FILED_FACT_HOURS_ID, FILED_HOURS_ID } from '#actors/watermark/watermark';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAY = Date.parse('2026-03-14T00:00:00Z');
const OWNER: LedgerOwner = { scope: 'publisher', id: 'p', sandbox: false };
const PRICE = 2_500_000;

/** A store of ledgers that are booked, closed and filed by their own reducer; it notes what is loaded. */
class Stored implements LedgerReads {
  readonly states = new Map<string, LedgerState>();
  readonly loaded: string[][] = [];
  readonly minutes = new Map<string, LedgerMinutesState>();
  readonly loadedMinutes: string[][] = [];
  /** Counts that have a log of their own. */
  readonly counts = new Map<string, LedgerState>();
  readonly loadedFacts: string[][] = [];
  filedThroughMs = 0;
  /** null: counts have no log of their own. */
  factsFiledThroughMs: number | null = null;
  beforeLoad: (ids: readonly string[]) => void = () => {};
  #position = 0;

  async load(keys: readonly { readonly kind: string; readonly id: string }[], fields?: readonly string[]) {
    const ids = keys.map(({ id }) => id);
    this.beforeLoad(ids);
    if (keys[0]!.kind === 'watermark') {
      expect(ids).to.have.length(1);
      expect(ids[0]).to.be.oneOf([FILED_HOURS_ID, FILED_FACT_HOURS_ID]);
      const throughMs = ids[0] === FILED_HOURS_ID ? this.filedThroughMs : this.factsFiledThroughMs;
      return [throughMs === null ? null : { id: ids[0]!, deleted: false, state: { throughMs } }];
    }
    const { kind } = keys[0]!;
    if (kind === ledgerMinutes.kind || kind === factsMinutes.kind) {
      this.loadedMinutes.push(ids);
      return ids.map((id) => {
        const state = this.minutes.get(`${kind}/${id}`);
        return state === undefined ? null : { id, deleted: false, state };
      });
    }
    (kind === facts.kind ? this.loadedFacts : this.loaded).push(ids);
    return ids.map((id) => {
      const state = (kind === facts.kind ? this.counts : this.states).get(id);
      if (state === undefined) return null;
      const named = Object.entries(structuredClone(state)).filter(([name]) => fields?.includes(name) ?? true);
      return { id, deleted: false, state: Object.fromEntries(named) };
    });
  }

  /** An impression of a partition of its own. */
  book(id: string, atMs: number, grossNanos = PRICE): void {
    const minuteMs = Math.floor(atMs / 60_000) * 60_000;
    const sum = { impressions: 1, grossNanos, feeNanos: 0 };
    const regions = [{ region: 'fra', ...sum, counterparties: [{ id: 'd', ...sum }], creatives: [] }];
    const partition = ++this.#position;
    this.#tell(id, 'totals', { partition, minuteMs, version: `${partition}-0`, regions });
  }

  file(id: string): void {
    this.#tell(id, 'close', {});
    this.publishMinutes(id);
    for (const { to, type, body } of ledger.totals!(this.states.get(id)!, null, id))
      if (type === 'hour') this.#tell(to.slice('ledger/'.length), 'hour', structuredClone(body) as ClosedHour);
  }

  /** What a ledger tells of minutes that have left it; they are still in it. */
  publishMinutes(id: string): void {
    for (const { to, type, body } of ledger.totals!(this.states.get(id)!, null, id)) {
      if (type === 'minutes') tellMinutes(this.minutes, to, body);
    }
  }

  /** Bids that an edge counted. */
  count(id: string, atMs: number, bids: number): void {
    const minuteMs = Math.floor(atMs / 60_000) * 60_000;
    const body = { minuteMs, region: 'fra', counts: { bids }, counterparties: [], creatives: [], latency: {} };
    this.#tellFacts(id, 'facts', body);
  }

  fileCounts(id: string): void {
    this.#tellFacts(id, 'close', {});
    for (const { to, type, body } of facts.totals!(this.counts.get(id)!, null, id)) {
      if (type === 'minutes') {
        tellMinutes(this.minutes, to, body);
        continue;
      }
      expect(to).to.equal(`facts/${dayLedgerId(id)}`);
      this.#tellFacts(dayLedgerId(id), 'hour', structuredClone(body));
    }
  }

  #tellFacts(id: string, type: 'facts' | 'close' | 'hour', body: unknown): void {
    const state = this.counts.get(id) ?? facts.initial(id);
    this.counts.set(id, state);
    const position = `${++this.#position}-0`;
    const context = { id, address: `facts/${id}`, nowMs: DAY, position, random: () => 0 };
    facts.handle(state, { type, body } as Parameters<typeof facts.handle>[1], context);
  }

  #tell(id: string, type: 'totals' | 'close' | 'hour', body: unknown): void {
    const state = this.states.get(id) ?? ledger.initial(id);
    this.states.set(id, state);
    const position = `${++this.#position}-0`;
    const context = { id, address: `ledger/${id}`, nowMs: DAY, position, random: () => 0 };
    ledger.handle(state, { type, body } as Parameters<typeof ledger.handle>[1], context);
  }
}

/** Tells a document of minutes, among others by their addresses. */
function tellMinutes(documents: Map<string, LedgerMinutesState>, to: string, body: unknown): void {
  const id = to.slice(to.indexOf('/') + 1);
  const state = documents.get(to) ?? ledgerMinutes.initial(id);
  documents.set(to, state);
  const context = { id, address: to, nowMs: DAY, position: '1-0', random: () => 0 };
  ledgerMinutes.handle(state, { type: 'minutes', body: structuredClone(body) as MinuteBatch }, context);
}

const hourId = (hour: number, day = '14') => `publisher:p:2026-03-${day}T${String(hour).padStart(2, '0')}`;

describe('reading ledgers of days and hours', () => {
  let stored: Stored;
  beforeEach(() => {
    stored = new Stored();
  });
  const read = (window: ReportWindow, nowMs?: number) => readLedgerPages(stored, [OWNER], window, nowMs);
  const impressions = async (window: ReportWindow) => sumLedgers(await read(window), window).impressions;

  it('asks for days first, then for the hours after those that are known to be filed', async () => {
    stored.filedThroughMs = DAY + 10 * HOUR_MS;
    await read(daysBetween(DAY - DAY_MS, DAY + DAY_MS), DAY + 11.5 * HOUR_MS);
    expect(stored.loaded).to.deep.equal([
      ['publisher:p:2026-03-13', 'publisher:p:2026-03-14'],
      [hourId(10), hourId(11), hourId(12)],
    ]);
  });

  it('asks for all hours of a window where nothing is known to be filed', async () => {
    await read(hoursBetween(DAY - 2 * HOUR_MS, DAY + HOUR_MS));
    expect(stored.loaded[1]).to.deep.equal([hourId(22, '13'), hourId(23, '13'), hourId(0)]);
  });

  it('asks for ledgers of many owners in parts, and counts each once', async () => {
    const owners = Array.from({ length: 40 }, (_, index): LedgerOwner => ({ ...OWNER, id: `p-${index}` }));
    const window = daysBetween(DAY - 30 * DAY_MS, DAY + DAY_MS);
    for (const { id } of owners) {
      for (const back of [0, 1, 30]) {
        const ofDay = new Date(DAY - back * DAY_MS).toISOString().slice(0, 10);
        stored.book(`publisher:${id}:${ofDay}T07`, DAY - back * DAY_MS + 7 * HOUR_MS);
        if (back > 0) stored.file(`publisher:${id}:${ofDay}T07`);
      }
    }
    stored.filedThroughMs = DAY;
    const ledgers = await readLedgerPages(stored, owners, window, DAY + 12 * HOUR_MS);
    expect(ledgers).to.have.length(owners.length * 3);
    expect(sumLedgers(ledgers, window).impressions).to.equal(owners.length * 3);
    expect(stored.loaded.flat()).to.have.length(owners.length * (31 + 13));
    for (const ids of stored.loaded) expect(ids.length).to.be.at.most(500);
  });

  it('reads the sandbox since its last flush, and nothing live with it', async () => {
    const sandbox: LedgerOwner = { ...OWNER, sandbox: true, sandboxGeneration: 2 };
    for (const suffix of ['', ':sandbox', ':sandbox.1', ':sandbox.2', ':sandbox.2']) {
      stored.book(`${hourId(5)}${suffix}`, DAY + 5 * HOUR_MS);
      stored.book(`${hourId(6)}${suffix}`, DAY + 6 * HOUR_MS);
      if (suffix !== ':sandbox.2') stored.file(`${hourId(5)}${suffix}`);
    }
    stored.file(`${hourId(5)}:sandbox.2`);
    for (const window of [daysBetween(DAY, DAY + DAY_MS), hoursBetween(DAY, DAY + DAY_MS)]) {
      const ledgers = await readLedgerPages(stored, [sandbox], window);
      expect(ledgers.map(({ id }) => id)).to.deep.equal(['publisher:p:2026-03-14:sandbox.2', `${hourId(6)}:sandbox.2`]);
      expect(sumLedgers(ledgers, window).impressions, window.grain.name).to.equal(4);
    }
  });

  it('asks for minutes where they are kept, filed or not, in one go', async () => {
    stored.filedThroughMs = DAY + 10 * HOUR_MS;
    const nowMs = DAY + 10.5 * HOUR_MS;
    const window = reportWindowOf('1h', nowMs);
    stored.book(hourId(9), DAY + 9.9 * HOUR_MS);
    stored.book(hourId(10), DAY + 10.1 * HOUR_MS);
    stored.file(hourId(9));
    expect(sumLedgers(await read(window, nowMs), window).impressions).to.equal(2);
    expect(stored.loaded).to.deep.equal([['publisher:p:2026-03-14', hourId(9), hourId(10)]]);
  });

  it('counts an hour once, whether its day has received it or not, at every grain', async () => {
    for (const hour of [3, 3, 4, 23]) stored.book(hourId(hour), DAY + hour * HOUR_MS);
    stored.file(hourId(3));
    stored.file(hourId(3));
    for (const window of [daysBetween(DAY, DAY + DAY_MS), hoursBetween(DAY, DAY + DAY_MS)])
      expect(await impressions(window), window.grain.name).to.equal(4);
    expect(await impressions(hoursBetween(DAY + 3 * HOUR_MS, DAY + 4 * HOUR_MS))).to.equal(2);
  });

  it('counts an hour once that moves into its day between the two reads', async () => {
    stored.book(hourId(3), DAY + 3 * HOUR_MS);
    stored.book(hourId(4), DAY + 4 * HOUR_MS);
    stored.file(hourId(4));
    stored.beforeLoad = (ids) => {
      if (ids.includes(hourId(3))) stored.file(hourId(3));
    };
    for (const window of [daysBetween(DAY, DAY + DAY_MS), hoursBetween(DAY, DAY + DAY_MS)])
      expect(await impressions(window), window.grain.name).to.equal(2);
  });

  it('reads days of a release that booked by the day, also beside hours of the same day', async () => {
    const dayId = dayLedgerId(hourId(5));
    stored.book(dayId, DAY + 5 * HOUR_MS);
    stored.book(dayId, DAY + 6 * HOUR_MS);
    expect(await impressions(daysBetween(DAY, DAY + DAY_MS)), 'alone').to.equal(2);
    stored.book(hourId(5), DAY + 5.5 * HOUR_MS);
    stored.book(hourId(7), DAY + 7 * HOUR_MS);
    const windows = [daysBetween(DAY, DAY + DAY_MS), hoursBetween(DAY, DAY + DAY_MS)];
    for (const window of windows) expect(await impressions(window), window.grain.name).to.equal(4);
    stored.file(hourId(5));
    stored.file(hourId(7));
    for (const window of windows) expect(await impressions(window), `${window.grain.name}, filed`).to.equal(4);
    expect(await impressions(hoursBetween(DAY + 5 * HOUR_MS, DAY + 6 * HOUR_MS))).to.equal(2);
  });

  it('reads the hours of a day whose money is too much for one page', async () => {
    const most = Number.MAX_SAFE_INTEGER - 1;
    for (const hour of [1, 2, 3]) {
      stored.book(hourId(hour), DAY + hour * HOUR_MS, most);
      if (hour < 3) stored.file(hourId(hour));
    }
    expect(stored.states.get(dayLedgerId(hourId(1)))).to.include({ daysOverflown: true });
    const window = daysBetween(DAY, DAY + DAY_MS);
    expect(sumLedgers(await read(window), window).grossNanos).to.equal(3n * BigInt(most));
  });

  it('adds counts that have a log of their own, whose hours are filed apart from those of ledgers', async () => {
    stored.factsFiledThroughMs = DAY + 4 * HOUR_MS;
    stored.filedThroughMs = DAY + 5 * HOUR_MS;
    for (const hour of [3, 4, 5]) {
      stored.book(hourId(hour), DAY + hour * HOUR_MS);
      stored.count(hourId(hour), DAY + hour * HOUR_MS, 10 ** (hour - 3));
    }
    // From before the counts had a log of their own.
    stored.book(hourId(2), DAY + 2 * HOUR_MS);
    for (const hour of [2, 3, 4]) stored.file(hourId(hour));
    stored.fileCounts(hourId(3));
    stored.fileCounts(hourId(3));
    for (const window of [daysBetween(DAY, DAY + DAY_MS), hoursBetween(DAY, DAY + DAY_MS)]) {
      const sum = sumLedgers(await read(window, DAY + 5 * HOUR_MS), window);
      expect([sum.impressions, countOf(sum, 'bids')], window.grain.name).to.deep.equal([4, 111]);
    }
    const asked = ['publisher:p:2026-03-14'];
    expect(stored.loaded.slice(0, 2)).to.deep.equal([asked, [hourId(5)]]);
    expect(stored.loadedFacts.slice(0, 2)).to.deep.equal([asked, [hourId(4), hourId(5)]]);
    const minutes = reportWindowOf('6h', DAY + 5 * HOUR_MS);
    const sum = sumLedgers(await read(minutes), minutes);
    expect([sum.impressions, countOf(sum, 'bids')], 'minutes').to.deep.equal([4, 111]);
  });

  it('asks for no counts apart where they have no log of their own', async () => {
    stored.count(hourId(3), DAY + 3 * HOUR_MS, 5);
    for (const window of [daysBetween(DAY, DAY + DAY_MS), reportWindowOf('6h', DAY + 5 * HOUR_MS)]) await read(window);
    expect(stored.loadedFacts).to.deep.equal([]);
  });

  it('puts days together as they are when all is filed', () => {
    for (const hour of [3, 4])
      for (let count = 0; count < hour; count++) stored.book(hourId(hour), DAY + hour * HOUR_MS);
    stored.file(hourId(3));
    const parts = () => [...stored.states].filter(([id]) => id !== hourId(3)).map(([id, state]) => ({ id, state }));
    const [before] = assembleDays(parts());
    stored.file(hourId(4));
    const { filed, hours, days, slots } = stored.states.get(dayLedgerId(hourId(3)))!;
    expect(before!.state).to.deep.include({ filed, hours, days, slots });
    expect(hourOfLedger(before!.id)).to.equal(null);
  });
});

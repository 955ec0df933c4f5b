import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import { ledger } from '#actors/ledger/ledger';
import { ledgerId } from '#actors/ledger/ledger-id';
import type { FactCounts, Totals } from '#actors/ledger/messages';
import { OTHERS_KEY } from '#actors/ledger/page';
import { countOf } from '#actors/ledger/report/ledger-sum';
import { reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import type { LedgerState } from '#actors/ledger/state';

const NOON_MS = Date.UTC(2026, 2, 14, 12);
const MINUTE_MS = 60_000;
const ID = ledgerId('publisher', 'publisher-1', NOON_MS, false);

function totals(fields: Partial<Totals> & { impressions?: number } = {}): Totals {
  const { impressions = 1, ...rest } = fields;
  const sum = { impressions, grossNanos: impressions * 1_000, feeNanos: impressions * 100 };
  return {
    partition: 0,
    minuteMs: NOON_MS,
    version: `${NOON_MS}-0`,
    regions: [{ region: 'fra', ...sum, counterparties: [{ id: 'dsp-1', ...sum }], creatives: [] }],
    ...rest,
  };
}

function facts(fields: Partial<FactCounts> = {}): FactCounts {
  return { minuteMs: NOON_MS, region: 'fra', counts: {}, counterparties: [], creatives: [], latency: {}, ...fields };
}

class Books {
  readonly state: LedgerState = ledger.initial(ID);

  totals(body: Totals): this {
    return this.#handle({ type: 'totals', body });
  }

  facts(body: FactCounts): this {
    return this.#handle({ type: 'facts', body });
  }

  sum(period: '1h' | '6h' | 'today' = 'today', nowMs = NOON_MS, region: string | null = null) {
    return sumLedgers([{ id: ID, state: this.state }], reportWindowOf(period, nowMs), region);
  }

  #handle(message: Parameters<typeof ledger.handle>[1]): this {
    const context = { id: ID, address: `ledger/${ID}`, nowMs: NOON_MS, position: `${NOON_MS}-9`, random: () => 0 };
    ledger.handle(this.state, message, context);
    return this;
  }
}

describe('a ledger', () => {
  it('replaces a partition’s totals of a minute by its later ones, and adds partitions up', () => {
    const books = new Books()
      .totals(totals({ impressions: 1 }))
      .totals(totals({ impressions: 5, version: `${NOON_MS + 10}-0` }))
      .totals(totals({ partition: 1, impressions: 2 }));
    const sum = books.sum();
    expect([sum.impressions, sum.grossNanos, sum.feeNanos]).to.deep.equal([7, 7_000n, 700n]);
    expect(sum.counterparties.get('dsp-1')?.grossNanos).to.equal(7_000n);
  });

  it('keeps a minute when its partition goes on to the next, and takes no old version of it', () => {
    const books = new Books()
      .totals(totals({ impressions: 4, version: `${NOON_MS + 10}-0` }))
      .totals(totals({ impressions: 3, minuteMs: NOON_MS + MINUTE_MS, version: `${NOON_MS + MINUTE_MS}-0` }))
      .totals(totals({ impressions: 2, version: `${NOON_MS + 5}-0` }))
      .totals(totals({ impressions: 4, version: `${NOON_MS + 10}-0` }));
    expect(books.sum().impressions).to.equal(7);
  });

  it('refuses a new version of a minute that was over: a law is broken, and nothing is changed', () => {
    const books = new Books().totals(totals({ minuteMs: NOON_MS + MINUTE_MS }));
    const before = structuredClone(books.state);
    expect(() => books.totals(totals({ version: `${NOON_MS + 2 * MINUTE_MS}-0` }))).to.throw(/told of/);
    expect(books.state).to.deep.equal(before);
  });

  it('refuses the minute of another day', () => {
    expect(() => new Books().totals(totals({ minuteMs: NOON_MS + 86_400_000 }))).to.throw(/another day/);
    expect(() => new Books().facts(facts({ minuteMs: NOON_MS - 86_400_000 }))).to.throw(/another day/);
  });

  it('refuses sums too large to be exact before it changes anything', () => {
    const large = totals({ impressions: 1 });
    large.regions[0]!.grossNanos = Number.MAX_SAFE_INTEGER;
    const books = new Books().totals(totals());
    const before = structuredClone(books.state);
    expect(() => books.totals({ ...large, partition: 1 })).to.throw(RangeError);
    expect(books.state).to.deep.equal(before);
  });

  it('refuses too much in one window of sale, too, though each region and each hour has room', () => {
    const half = Number.MAX_SAFE_INTEGER / 2 + 1;
    const told = (region: string, minuteMs: number): Totals => {
      const sum = { impressions: 1, grossNanos: half, feeNanos: 0 };
      const regions = [{ region, ...sum, counterparties: [], creatives: [] }];
      const slots = [{ slotMs: NOON_MS, impressions: 1, grossNanos: half }];
      return { ...totals(), minuteMs, version: `${minuteMs}-0`, regions, slots };
    };
    const books = new Books().totals(told('fra', NOON_MS));
    const before = structuredClone(books.state);
    expect(() => books.totals(told('nyc', NOON_MS + 60 * MINUTE_MS))).to.throw(RangeError);
    expect(books.state).to.deep.equal(before);
  });

  it('adds up what edges counted, each message once', () => {
    const counted = facts({
      counts: { auctions: 3, imps: 4, filledImps: 2, 'blocked/fraud': 1 },
      counterparties: [{ id: 'dsp-1', bids: 2, wins: 1 }],
      latency: { 40: 3 },
    });
    const sum = new Books()
      .facts(counted)
      .facts({ ...counted, region: 'nyc' })
      .sum();
    expect([countOf(sum, 'auctions'), countOf(sum, 'blocked/fraud'), countOf(sum, 'absent')]).to.deep.equal([6, 2, 0]);
    expect(sum.counterparties.get('dsp-1')).to.include({ bids: 4, wins: 2 });
    expect(sum.latency).to.deep.equal({ 40: 6 });
  });

  it('adds up sales without a lease by budget window, and counts none of them as money', () => {
    const id = 'dsp:d:2026-03-14';
    const state = ledger.initial(id) as LedgerState;
    const context = { id, address: `ledger/${id}`, nowMs: NOON_MS, position: `${NOON_MS}-0`, random: () => 0 };
    const sold = facts({ unleased: [{ slotMs: 300_000, nanos: 5 }] });
    for (const region of ['fra', 'nyc']) ledger.handle(state, { type: 'facts', body: { ...sold, region } }, context);
    const most = { ...sold, unleased: [{ slotMs: 600_000, nanos: Number.MAX_SAFE_INTEGER }] };
    for (let times = 0; times < 2; times++) ledger.handle(state, { type: 'facts', body: most }, context);
    expect(state.unleased).to.deep.equal({ 300000: 10, 600000: Number.MAX_SAFE_INTEGER });
    expect(state.slots).to.deep.equal({});
  });

  it('tells regions apart', () => {
    const books = new Books()
      .facts(facts({ counts: { auctions: 3 } }))
      .facts(facts({ region: 'nyc', counts: { auctions: 5 } }));
    expect(countOf(books.sum('today', NOON_MS, 'nyc'), 'auctions')).to.equal(5);
    expect(countOf(books.sum('today', NOON_MS, 'lon'), 'auctions')).to.equal(0);
  });

  it('stays small: minutes older than six hours go, the hours and the day keep all of it', () => {
    const books = new Books();
    for (let minute = 0; minute < 11 * 60; minute++) {
      const minuteMs = NOON_MS + minute * MINUTE_MS;
      books.totals(totals({ minuteMs, version: `${minuteMs}-0` })).facts(facts({ minuteMs, counts: { auctions: 1 } }));
    }
    const { minutes, hours, days } = books.state;
    expect([minutes, hours, days].map((pages) => Object.keys(pages).length)).to.deep.equal([370, 11, 1]);
    expect(Object.values(minutes).filter((page) => typeof page !== 'string')).to.have.length(2);
    const nowMs = NOON_MS + 11 * 60 * MINUTE_MS - 1;
    expect((['1h', '6h', 'today'] as const).map((period) => books.sum(period, nowMs).impressions)).to.deep.equal([
      61, 361, 660,
    ]);
    expect(countOf(books.sum('today', nowMs), 'auctions')).to.equal(660);
  });

  it('takes late news of an old minute into its hour', () => {
    const books = new Books()
      .facts(facts({ minuteMs: NOON_MS + 7 * 60 * MINUTE_MS, counts: { auctions: 1 } }))
      .facts(facts({ counts: { auctions: 1 } }));
    expect(Object.keys(books.state.minutes)).to.have.length(1);
    expect(countOf(books.sum('today', NOON_MS + 8 * 60 * MINUTE_MS), 'auctions')).to.equal(2);
  });

  it('names a bounded number of counterparties in a page and sums the rest, also when they are reported again', () => {
    const many = (impressions: number) => {
      const one = { impressions, grossNanos: impressions, feeNanos: 0 };
      const counterparties = Array.from({ length: 150 }, (_, number) => ({ id: `dsp-${number}`, ...one }));
      const all = { impressions: 150 * impressions, grossNanos: 150 * impressions, feeNanos: 0 };
      return [{ region: 'fra', ...all, counterparties, creatives: [] }];
    };
    const books = new Books()
      .totals(totals({ regions: many(1) }))
      .totals(totals({ regions: many(2), version: `${NOON_MS + 1}-0` }))
      .totals(totals({ partition: 1, regions: many(3) }));
    const sum = books.sum('1h');
    expect(sum.counterparties.size).to.equal(51);
    expect(sum.counterparties.get('dsp-0')?.impressions).to.equal(5);
    expect(sum.counterparties.get(OTHERS_KEY)?.impressions).to.equal(100 * 5);
    expect(sum.impressions).to.equal(150 * 5);
  });

  it('is what it was when a page is packed and opened again by late news', () => {
    const late = { minuteMs: NOON_MS, counts: { 'blocked/fraud': 1 }, latency: { '-3': 2 } };
    const creatives = [{ id: 'x;|&=,"é', bids: 2, wins: 0 }];
    const later = NOON_MS + 30 * MINUTE_MS;
    const books = new Books()
      .totals(totals({ partition: 1, impressions: 3 }))
      .facts(facts({ ...late, creatives }))
      .totals(totals({ minuteMs: later, version: `${later}-0` }));
    expect(books.state.minutes[12 * 60]).to.be.a('string');
    const again = books
      .facts(facts(late))
      .totals(totals({ partition: 1, impressions: 5, version: `${NOON_MS + 1}-0` }))
      .sum('1h', later);
    expect([again.impressions, again.grossNanos]).to.deep.equal([6, 6_000n]);
    expect([...again.counts]).to.deep.equal([['blocked/fraud', 2]]);
    expect(again.latency).to.deep.equal({ '-3': 4 });
    expect([...again.creatives.keys()]).to.deep.equal(['x;|&=,"é']);
    expect(again.creatives.get('x;|&=,"é')).to.include({ impressions: 0, grossNanos: 0n, bids: 2, wins: 0 });
    expect(again.counterparties.get('dsp-1')?.impressions).to.equal(6);
  });

  it('says of a day that moved more than a page can hold what its hours say', () => {
    const HOUR_MS = 60 * MINUTE_MS;
    const grossNanos = 5_000_000_000_000_000;
    const huge = (minuteMs: number) => {
      const sum = { impressions: 1, grossNanos, feeNanos: 0 };
      const regions = [{ region: 'fra', ...sum, counterparties: [], creatives: [] }];
      return totals({ minuteMs, version: `${minuteMs}-0`, regions });
    };
    const books = new Books();
    for (let hour = 0; hour < 4; hour++) books.totals(huge(NOON_MS + hour * HOUR_MS));
    const sum = sumLedgers([{ id: ID, state: books.state }], reportWindowOf('7d', NOON_MS));
    expect([sum.impressions, sum.grossNanos]).to.deep.equal([4, 4n * BigInt(grossNanos)]);
    expect(() => books.totals({ ...huge(NOON_MS + 3 * HOUR_MS), partition: 1 }), 'an hour, though').to.throw(
      RangeError,
    );
  });

  it('keeps names apart that are awkward in documents', () => {
    const names = ['a.b', 'a%2Eb', '$set', 'constructor', '__proto__', '*', 'ünïcode', '', 'x'.repeat(64)];
    const books = new Books().facts(facts({ creatives: names.map((id) => ({ id, bids: 1, wins: 0 })) }));
    const sum = books.sum();
    expect([...sum.creatives.keys()].sort()).to.deep.equal([...names].sort());
    const keys = Object.keys(books.state.hours[12]!.fra!.creatives);
    for (const key of keys) expect(key).to.match(/^:[^.$]*$/);
  });

  it('has a state and messages as its schemas say', () => {
    const books = new Books().totals(totals()).facts(facts({ counts: { auctions: 1 }, latency: { 3: 1 } }));
    expect(Compile(ledger.state).Check(JSON.parse(JSON.stringify(books.state)))).to.equal(true);
    expect(Compile(ledger.messages.totals).Check(totals())).to.equal(true);
    expect(Compile(ledger.messages.facts).Check(facts())).to.equal(true);
    expect(Compile(ledger.messages.totals).Check({ ...totals(), partition: -1 })).to.equal(false);
  });
});

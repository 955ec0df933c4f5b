import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import { MAX_ROWS } from '#actors/ledger/grain';
import { ledger } from '#actors/ledger/ledger';
import type { ClosedHour } from '#actors/ledger/messages';
import { OTHERS_KEY } from '#actors/ledger/page';
import { LedgerState } from '#actors/ledger/state';
import { Rejection } from '#runtime/actor/rejection';

const ID = 'dsp:d:2026-03-14T12';
const DAY_ID = 'dsp:d:2026-03-14';
const NOON_MS = Date.parse('2026-03-14T12:00:00Z');
const PRICE = 2_500_000;

type Message = Parameters<typeof ledger.handle>[1];

function tell(state: LedgerState, id: string, message: Message, position = '9-0'): unknown {
  return ledger.handle(state, message, { id, address: `ledger/${id}`, nowMs: NOON_MS, position, random: () => 0 });
}

function totals(partition: number, version: string, names: readonly string[] = ['p']): Message {
  const sum = (impressions: number) => ({ impressions, grossNanos: impressions * PRICE, feeNanos: impressions });
  const counterparties = names.map((id) => ({ id, ...sum(1) }));
  const slots = [{ slotMs: NOON_MS - 300_000, impressions: names.length, grossNanos: names.length * PRICE }];
  const regions = [{ region: 'fra', ...sum(names.length), counterparties, creatives: [] }];
  return { type: 'totals', body: { partition, minuteMs: NOON_MS, version, regions, slots } };
}

const facts: Message = {
  type: 'facts',
  body: { minuteMs: NOON_MS, region: 'fra', counts: { bids: 3 }, counterparties: [], creatives: [], latency: {} },
};
const close: Message = { type: 'close', body: {} };

function closedHour(state: LedgerState, published: string | null = null): ClosedHour[] {
  const sends = ledger.totals!(state, published, ID).filter(({ type }) => type !== 'minutes');
  return sends.map(({ to, type, body }) => {
    expect([to, type]).to.deep.equal([`ledger/${DAY_ID}`, 'hour']);
    return structuredClone(body) as ClosedHour;
  });
}

describe('a ledger of an hour', () => {
  let hour: LedgerState;
  beforeEach(() => {
    hour = ledger.initial(ID);
    tell(hour, ID, totals(3, '5-0'));
    tell(hour, ID, totals(4, '6-0'));
    tell(hour, ID, facts);
  });

  it('keeps its hour and minutes, and no day', () => {
    expect(Object.keys(hour.hours)).to.deep.equal(['12']);
    expect(Object.keys(hour.minutes)).to.deep.equal(['720']);
    expect(hour.days).to.deep.equal({});
    expect(hour.filedUnder).to.equal('hour/2026-03-14T12');
    expect(closedHour(hour), 'open').to.deep.equal([]);
  });

  it('refuses what is of another hour, and days refuse hours that are not theirs', () => {
    const later = { ...facts, body: { ...facts.body, minuteMs: NOON_MS + 3_600_000 } } as Message;
    expect(() => tell(hour, ID, later)).to.throw(/is of another hour than ledger\/dsp:d:2026-03-14T12/);
    expect(() => tell(ledger.initial(DAY_ID), DAY_ID, close)).to.throw(/is not the ledger of an hour/);
    tell(hour, ID, close);
    const [told] = closedHour(hour);
    expect(() => tell(hour, ID, { type: 'hour', body: told! })).to.throw(/is not the ledger of a day/);
  });

  it('takes repetitions when it is closed, and nothing else', () => {
    tell(hour, ID, close, '8-0');
    expect(hour).to.include({ closedAt: '8-0', filedUnder: 'filed-hour/2026-03-14T12' });
    const before = structuredClone(hour);
    tell(hour, ID, totals(3, '5-0'));
    tell(hour, ID, close, '9-0');
    expect(hour).to.deep.equal(before);
    const unleased = [{ slotMs: NOON_MS, nanos: 1 }];
    const boundsMoney = { ...facts, body: { ...facts.body, unleased } } as Message;
    for (const message of [totals(3, '7-0'), totals(5, '1-0'), boundsMoney])
      expect(() => tell(hour, ID, message)).to.throw(/is closed: its day has its figures/);
    expect(tell(hour, ID, facts))
      .to.be.instanceOf(Rejection)
      .and.to.include({ code: 'CLOSED' });
    expect(hour).to.deep.equal(before);
    expect(Compile(LedgerState).Check(hour)).to.equal(true);
  });

  it('tells its day once it is closed, until that is published', () => {
    tell(hour, ID, close, '8-0');
    expect(closedHour(hour)).to.have.length(1);
    expect(closedHour(hour, '7-5')).to.have.length(1);
    expect(closedHour(hour, '8-0')).to.deep.equal([]);
  });
});

describe('a ledger of a day', () => {
  const closed = (...messages: Message[]): ClosedHour => {
    const hour = ledger.initial(ID);
    for (const message of [...messages, close]) tell(hour, ID, message);
    return closedHour(hour)[0]!;
  };

  it('receives each hour once, with its money, counts and budget windows', () => {
    const day = ledger.initial(DAY_ID);
    const body = closed(totals(3, '5-0', ['p', 'q']), facts);
    for (let times = 0; times < 3; times++) tell(day, DAY_ID, { type: 'hour', body: structuredClone(body) });
    expect(day.filed).to.equal(1 << 12);
    for (const page of [day.hours['12']!, day.days['0']!]) {
      expect(page.fra).to.deep.include({ impressions: 2, grossNanos: 2 * PRICE, feeNanos: 2, counts: { bids: 3 } });
      expect(Object.keys(page.fra!.counterparties)).to.deep.equal([':p', ':q']);
    }
    expect(day.slots).to.deep.equal({ [NOON_MS - 300_000]: { impressions: 2, grossNanos: 2 * PRICE } });
    expect(Compile(LedgerState).Check(day)).to.equal(true);
  });

  it('names as many counterparties of the day as of an hour, and sums the others', () => {
    const day = ledger.initial(DAY_ID);
    for (const hour of [12, 13]) {
      const names = Array.from({ length: MAX_ROWS }, (_, index) => `p-${hour}-${index}`);
      tell(day, DAY_ID, { type: 'hour', body: { ...closed(totals(3, '5-0', names)), hour } });
    }
    const { counterparties, impressions } = day.days['0']!.fra!;
    expect(impressions).to.equal(2 * MAX_ROWS);
    expect(Object.keys(counterparties)).to.have.length(MAX_ROWS + 1);
    expect(counterparties[OTHERS_KEY]!.impressions).to.equal(MAX_ROWS);
    expect(Object.keys(day.hours['13']!.fra!.counterparties)).to.have.length(MAX_ROWS);
  });

  it('changes nothing where a sum would not be exact', () => {
    const day = ledger.initial(DAY_ID);
    const body = closed(totals(3, '5-0'));
    tell(day, DAY_ID, { type: 'hour', body: structuredClone(body) });
    const slots = { [NOON_MS - 300_000]: { impressions: 1, grossNanos: Number.MAX_SAFE_INTEGER } };
    const before = structuredClone(day);
    expect(() => tell(day, DAY_ID, { type: 'hour', body: { ...body, hour: 13, slots } })).to.throw(RangeError);
    expect(day).to.deep.equal(before);
  });
});

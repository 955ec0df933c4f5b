import { expect } from 'chai';
import { ledger } from '#actors/ledger/ledger';
import { HOUR_MS } from '#actors/ledger/ledger-id';
import type { MinuteBatch } from '#actors/ledger/messages';
import type { LedgerPage } from '#actors/ledger/page-schema';
import { emptyLedger } from '#actors/ledger/reduce';
import type { LedgerState } from '#actors/ledger/state';
import { ledgerAtRest } from '#actors/ledger/stored-ledger';
import { ledgerMinutes } from '#actors/ledger-minutes/ledger-minutes';

const MINUTE_MS = 60_000;
const NOON_MS = Date.UTC(2026, 2, 14, 12);
const ID = 'dsp:d:2026-03-14T12';
const ADDRESS = `ledger/${ID}`;
const UUID = 'f1a3252d-63bd-42a1-b7db-0fc4c5bc2340';

interface Told {
  readonly partition?: number;
  readonly minute: number;
  /** The minute of the hour in which it is told. */
  readonly at?: number;
  readonly impressions?: Readonly<Record<string, number>>;
}

describe('the minutes of a ledger of an hour', () => {
  let hour: LedgerState;
  let position: number;
  beforeEach(() => {
    hour = ledger.initial(ID);
    position = 0;
  });

  function tell({ partition = 0, minute, at = minute, impressions = { p: 1 } }: Told): void {
    const sumOf = (count: number) => ({ impressions: count, grossNanos: count * 1_000, feeNanos: count });
    const counterparties = Object.entries(impressions).map(([id, count]) => ({ id, ...sumOf(count) }));
    const whole = sumOf(Object.values(impressions).reduce((a, b) => a + b, 0));
    const minuteMs = NOON_MS + minute * MINUTE_MS;
    const version = `${minuteMs}-${++position}`;
    const regions = [{ region: 'fra', ...whole, counterparties, creatives: [] }];
    handle({ type: 'totals', body: { partition, minuteMs, version, regions } }, NOON_MS + at * MINUTE_MS);
  }

  function handle(message: Parameters<typeof ledger.handle>[1], nowMs: number): void {
    const context = { id: ID, address: ADDRESS, nowMs, position: `${nowMs}-${++position}`, random: () => 0 };
    ledger.handle(hour, message, context);
  }

  const batches = (published: string | null = null) =>
    ledger.totals!(hour, published, ID).filter(({ type }) => type === 'minutes');
  const leftMinutes = () =>
    batches().map(({ body }) => Object.keys((body as MinuteBatch).pages).map((index) => Number(index) - 720));

  it('leave five at a time when they are no longer the newest, and go to a document with the id of the ledger', () => {
    for (let minute = 0; minute <= 6; minute++) tell({ minute });
    expect(batches()).to.deep.equal([]);
    tell({ minute: 7 });
    expect(batches().map(({ to }) => to)).to.deep.equal([`ledger-minutes/${ID}`]);
    expect(leftMinutes()).to.deep.equal([[0, 1, 2, 3, 4]]);
    expect(Object.keys(hour.minutes)).to.deep.equal(['725', '726', '727']);
    tell({ minute: 11 });
    expect(leftMinutes()).to.deep.equal([[0, 1, 2, 3, 4]]);
    tell({ minute: 59, at: 75 });
    expect(leftMinutes()).to.deep.equal([
      [0, 1, 2, 3, 4],
      [5, 6, 7, 11, 59],
    ]);
    expect(hour.minutes).to.deep.equal({});
  });

  it('are told until they are known to be durable, and kept no longer', () => {
    tell({ minute: 0 });
    tell({ minute: 7 });
    const [first] = batches();
    const leftAt = hour.leaving![0]!.leftAt;
    tell({ minute: 12 });
    expect(batches(leftAt)).to.have.length(1);
    expect(batches()[0]).to.deep.equal(first);
    ledger.onPublished!(hour, leftAt);
    expect(hour.leaving).to.have.length(1);
    ledger.onPublished!(hour, hour.leaving![0]!.leftAt);
    expect(hour).to.not.have.property('leaving');
    expect(hour.batches).to.equal(2);
  });

  it('take what comes late as a further part, all rows under one name where one of them has become smaller', () => {
    tell({ minute: 1, impressions: { p: 2, q: 2 } });
    tell({ minute: 8, partition: 1 });
    tell({ minute: 1, at: 8, impressions: { p: 3, q: 2 } });
    expect(hour.minutes['721']).to.have.nested.property('fra.counterparties.:p.impressions', 1);
    tell({ minute: 1, at: 8, impressions: { p: 1, q: 7 } });
    const fra = (hour.minutes['721'] as LedgerPage).fra!;
    expect(fra.impressions).to.equal(4);
    expect(Object.keys(fra.counterparties)).to.deep.equal([':p', ':q', ':*']);
    expect(hour.hours['12']!.fra).to.include({ impressions: 9, grossNanos: 9_000 });
    for (const row of Object.values(fra.counterparties)) expect(row.impressions).to.be.at.least(0);
  });

  it('leave all when the hour is closed', () => {
    tell({ minute: 58 });
    tell({ minute: 59 });
    handle({ type: 'close', body: {} }, NOON_MS + 2 * HOUR_MS);
    expect(leftMinutes()).to.deep.equal([[58, 59]]);
    expect(hour.minutes).to.deep.equal({});
  });

  it('count once where they arrive, in any order, and their parts add up', () => {
    tell({ minute: 1, impressions: { p: 2, [UUID]: 3 } });
    tell({ minute: 8, partition: 1 });
    tell({ minute: 1, at: 8, impressions: { p: 2, [UUID]: 5 } });
    handle({ type: 'close', body: {} }, NOON_MS + 2 * HOUR_MS);
    const minutes = ledgerMinutes.initial(ID);
    const context = { id: ID, address: `ledger-minutes/${ID}`, nowMs: NOON_MS, position: '1-0', random: () => 0 };
    const told = batches().map(({ body }) => body as MinuteBatch);
    for (const body of [told[1]!, told[0]!, told[1]!, told[0]!])
      ledgerMinutes.handle(minutes, { type: 'minutes', body }, context);
    expect(minutes.received).to.deep.equal([2, 1]);
    expect(minutes.filedUnder).to.equal('minutes/2026-03-14T12');
    expect(Object.keys(minutes.minutes)).to.deep.equal(['721', '728']);
    expect(minutes.minutes['721']).to.match(/^fra\|7,7000,7\|/);
  });

  it('leave names behind that nothing else refers to, and the ledger says the same when it comes back from its store', () => {
    tell({ minute: 0, impressions: { gone: 1 } });
    tell({ minute: 3, impressions: { [UUID]: 1 } });
    tell({ minute: 9, impressions: { stays: 2 } });
    expect(hour.names).to.deep.equal([':stays']);
    const stored = structuredClone(ledgerAtRest.pack(hour)) as Record<string, unknown>;
    expect(stored.names).to.match(/^:stays :gone ![\w-]{22}$/);
    expect(ledgerAtRest.unpack(stored)).to.deep.equal({
      ...hour,
      minutes: (stored as unknown as LedgerState).minutes,
    });
  });

  it('are read as an earlier release has stored them', () => {
    tell({ minute: 0 });
    const asBefore = structuredClone(hour);
    expect(ledgerAtRest.unpack(asBefore)).to.deep.equal(hour);
    expect(ledger.upgrade!({ ...emptyLedger(ID) }, 6)).to.deep.equal(emptyLedger(ID));
  });
});

import { expect } from 'chai';
import { ledger } from '#actors/ledger/ledger';
import type { Totals } from '#actors/ledger/messages';
import type { LedgerState } from '#actors/ledger/state';
import { ledgerAtRest } from '#actors/ledger/stored-ledger';

const MINUTE_MS = 60_000;
const NOON_MS = Date.UTC(2026, 2, 14, 12);
const ID = 'dsp:d:2026-03-14T12';
const NANOS = 1_000;

interface Told {
  readonly partition?: number;
  /** The minute of the hour. */
  readonly minute: number;
  /** What of the minute is told: later ones are more complete. */
  readonly version?: number;
  readonly impressions: number;
  /** The minute of the hour in which it is told. */
  readonly at?: number;
}

describe('totals that were parked and are replayed', () => {
  let state: LedgerState;
  beforeEach(() => {
    state = ledger.initial(ID);
  });

  function totals({ partition = 0, minute, version = 0, impressions }: Told): Totals {
    const minuteMs = NOON_MS + minute * MINUTE_MS;
    const sum = { impressions, grossNanos: impressions * NANOS, feeNanos: impressions };
    const rows = impressions === 0 ? [] : [{ id: 'p', ...sum }];
    const regions = [{ region: 'fra', ...sum, counterparties: rows, creatives: [] }];
    const slots = [{ slotMs: NOON_MS, impressions, grossNanos: impressions * NANOS }];
    return { partition, minuteMs, version: `${minuteMs}-${version}`, regions, slots };
  }

  /** As the store has it between two messages. */
  function atRest(): void {
    state = { ...ledger.initial(ID), ...ledgerAtRest.unpack(structuredClone(ledgerAtRest.pack(state))) };
  }

  function tell(told: Told): void {
    const nowMs = NOON_MS + (told.at ?? told.minute) * MINUTE_MS;
    const context = { id: ID, address: `ledger/${ID}`, nowMs, position: `${nowMs}-99`, random: () => 0 };
    ledger.handle(state, { type: 'totals', body: totals(told) }, context);
    atRest();
  }

  function park(told: Told): void {
    ledger.onParked!(state, { type: 'totals', body: totals(told) });
    atRest();
  }

  /** The impressions by hour, budget window, counterparty and minute, which agree. */
  function booked(): number {
    const { impressions, grossNanos, counterparties } = state.hours[12]?.fra ?? { impressions: 0, grossNanos: 0 };
    expect(grossNanos).to.equal(impressions * NANOS);
    expect(state.slots[NOON_MS]).to.deep.equal({ impressions, grossNanos });
    const named = Object.values(counterparties ?? {}).reduce((sum, row) => sum + row.impressions, 0);
    expect(named).to.equal(impressions);
    return impressions;
  }

  it('count when their partition has told a later minute since', () => {
    const parked = { minute: 1, impressions: 3 };
    park(parked);
    tell({ minute: 2, impressions: 5 });
    tell(parked);
    expect(booked()).to.equal(8);
  });

  it('count once, and so do the later ones', () => {
    const [parked, later] = [
      { minute: 1, impressions: 3 },
      { minute: 2, impressions: 5 },
    ];
    park(parked);
    tell(later);
    for (const again of [parked, parked, later, parked]) tell(again);
    expect(booked()).to.equal(8);
    expect(state.parked).to.equal(undefined);
  });

  it('replace what their partition had told of the minute before', () => {
    tell({ minute: 1, impressions: 2 });
    const parked = { minute: 1, version: 1, impressions: 3 };
    park(parked);
    tell({ minute: 2, impressions: 5 });
    tell({ minute: 3, impressions: 7 });
    expect(booked()).to.equal(14);
    tell(parked);
    expect(booked()).to.equal(15);
  });

  it('replace it also when the minute has left the ledger', () => {
    tell({ minute: 1, impressions: 2 });
    const parked = { minute: 1, version: 1, impressions: 3 };
    park(parked);
    tell({ minute: 30, impressions: 5 });
    expect(state.leftThrough).to.be.greaterThan(721);
    tell({ ...parked, at: 31 });
    expect(booked()).to.equal(8);
  });

  it('count in any order, where several of one minute were parked', () => {
    const versions = [1, 2, 3].map((version) => ({ minute: 1, version, impressions: 10 * version }));
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      state = ledger.initial(ID);
      tell({ minute: 1, impressions: 2 });
      for (const parked of versions) park(parked);
      tell({ minute: 2, impressions: 5 });
      for (const index of order) tell(versions[index]!);
      expect(booked(), order.join()).to.equal(35);
      expect(state.parked).to.equal(undefined);
    }
  });

  it('count for each minute and partition', () => {
    const all = [0, 1].flatMap((partition) =>
      [1, 2, 3].map((minute) => ({ partition, minute, impressions: 10 ** (minute + 3 * partition - 1) })),
    );
    for (const parked of all) park(parked);
    for (const partition of [0, 1]) tell({ partition, minute: 4, impressions: 0 });
    for (const parked of all) tell(parked);
    expect(booked()).to.equal(111_111);
  });

  it('change nothing when their partition has told more of the minute since', () => {
    const parked = { minute: 1, version: 1, impressions: 3 };
    park(parked);
    tell({ minute: 1, version: 2, impressions: 4 });
    expect(state.parked).to.equal(undefined);
    tell({ minute: 2, impressions: 5 });
    tell(parked);
    expect(booked()).to.equal(9);
  });

  it('change nothing when they were parked as a repetition', () => {
    const told = { minute: 1, impressions: 3 };
    tell(told);
    tell({ minute: 2, impressions: 5 });
    park(told);
    park({ minute: 2, impressions: 5 });
    expect(state.parked).to.equal(undefined);
    tell(told);
    expect(booked()).to.equal(8);
  });

  it('can be parked again, also by a newer version', () => {
    const parked = { minute: 1, impressions: 3 };
    park(parked);
    tell({ minute: 2, impressions: 5 });
    park(parked);
    park({ ...parked, version: 1, impressions: 4 });
    tell(parked);
    expect(booked()).to.equal(8);
    tell({ ...parked, version: 1, impressions: 4 });
    expect(booked()).to.equal(9);
    expect(state.parked).to.equal(undefined);
  });

  it('leave no trace when the body of what was parked is none of totals', () => {
    for (const body of [
      null,
      'x',
      {},
      { partition: 0, minuteMs: NOON_MS },
      { ...totals({ minute: 1, impressions: 1 }), version: 3 },
    ])
      ledger.onParked!(state, { type: 'totals', body });
    ledger.onParked!(state, { type: 'facts', body: totals({ minute: 1, impressions: 1 }) });
    expect(state).to.deep.equal(ledger.initial(ID));
  });

  it('are forgotten when the hour is closed, as those that were discarded must be', () => {
    tell({ minute: 1, impressions: 2 });
    park({ minute: 1, version: 1, impressions: 3 });
    tell({ minute: 2, impressions: 5 });
    const context = { id: ID, address: `ledger/${ID}`, nowMs: NOON_MS, position: '9-9', random: () => 0 };
    ledger.handle(state, { type: 'close', body: {} }, context);
    expect(state.parked).to.equal(undefined);
  });
});

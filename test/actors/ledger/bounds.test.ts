import { expect } from 'chai';
import { impressionRollup } from '#actors/impression-rollup/impression-rollup';
import type { Impression } from '#actors/impression-rollup/messages';
import { MAX_ROWS } from '#actors/ledger/grain';
import { ledger } from '#actors/ledger/ledger';
import { ledgerId } from '#actors/ledger/ledger-id';
import type { Totals } from '#actors/ledger/messages';
import { OTHERS_KEY } from '#actors/ledger/page';
import { type Period, reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { boundedRowName } from '#actors/ledger/row-name';
import { IMPRESSION } from '../impression-rollup/impression.ts';

const MINUTE_MS = 60_000;
const DAY_MS = Date.UTC(2026, 2, 14);
const REGIONS = ['fra', 'nyc', 'lon'];
const PARTITIONS = 64;
const SIDES = 500;

function uuid(kind: string, number: number): string {
  return `${kind}0000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/**
 * What one partition tells a DSP's ledger of a minute in which it won at 500 publishers with 500 creatives, in every
 * region.
 */
function totalsOf(partition: number, minuteMs: number, first = 0): Totals {
  const id = `${partition}:2026-03-14`;
  const state = impressionRollup.initial(id);
  for (let number = 0; number < SIDES; number++) {
    const which = (first + number) % SIDES;
    for (const [index, region] of REGIONS.entries()) {
      const nowMs = minuteMs + Math.floor((number * MINUTE_MS) / SIDES);
      const impression: Impression = {
        ...IMPRESSION,
        id: `${partition}-${number}-${region}`,
        publisher: uuid('a', which),
        dsp: 'dsp-1',
        crid: uuid('c', which),
        region,
      };
      const position = `${nowMs}-${number * REGIONS.length + index}`;
      impressionRollup.handle(
        state,
        { type: 'impression', body: impression },
        { id, address: `tally/${id}`, nowMs, position, random: () => 0 },
      );
    }
  }
  const told = impressionRollup.totals!(state, null, id).filter(({ to }) => to.startsWith('ledger/dsp:dsp-1:'));
  expect(told).to.have.length(1);
  return told[0]!.body as Totals;
}

describe('the bounds of a ledger', () => {
  const sumOf = (rows: readonly { impressions: number; grossNanos: number }[]) => [
    rows.reduce((sum, { impressions }) => sum + impressions, 0),
    rows.reduce((sum, { grossNanos }) => sum + grossNanos, 0),
  ];

  it('hold for what a partition tells: who came first keeps his name, the rest are others, sums are whole', () => {
    for (const { region, counterparties, creatives, impressions, grossNanos } of totalsOf(0, DAY_MS).regions) {
      for (const [kind, rows] of [
        ['a', counterparties],
        ['c', creatives],
      ] as const) {
        // biome-ignore format: short
        expect(rows, region).to.have.length(MAX_ROWS + 1);
        expect(rows.map(({ id }) => id)).to.deep.equal([
          ...Array.from({ length: MAX_ROWS }, (_, number) => uuid(kind, number)),
          OTHERS_KEY,
        ]);
        expect(rows.at(-1)!.impressions).to.equal(SIDES - MAX_ROWS);
        expect(sumOf(rows)).to.deep.equal([impressions, grossNanos]);
        expect(sumOf(rows)).to.deep.equal([SIDES, SIDES * IMPRESSION.priceCpmMicros]);
      }
    }
  });

  it('hold for a DSP of 500 publishers and 500 creatives, every minute in every partition and region, for a day', () => {
    const id = ledgerId('dsp', 'dsp-1', DAY_MS, false);
    let state = ledger.initial(id);
    let impressions = 0;
    const tell = (body: Totals) => {
      const context = { id, address: `ledger/${id}`, nowMs: body.minuteMs, position: body.version, random: () => 0 };
      ledger.handle(state, { type: 'totals', body }, context);
      impressions += SIDES * REGIONS.length;
    };
    // Each partition has met others first. All of them tell in the last minute; before, one in each minute.
    const told = Array.from({ length: PARTITIONS }, (_, partition) => totalsOf(partition, DAY_MS, partition * 8));
    const at = (body: Totals, minuteMs: number): Totals => ({ ...body, minuteMs, version: `${minuteMs}-9` });
    for (let minute = 0; minute < 24 * 60 - 1; minute++) {
      if (minute % 20 !== 0 && minute < 23 * 60) continue;
      tell(at(told[minute % PARTITIONS]!, DAY_MS + minute * MINUTE_MS));
    }
    for (const body of told) tell(at(body, DAY_MS + (24 * 60 - 1) * MINUTE_MS));
    const text = JSON.stringify(state);
    const megabytes = Buffer.byteLength(text) / 1024 / 1024;
    expect(megabytes, `${megabytes.toFixed(1)} MB`).to.be.within(2, 12);
    state = JSON.parse(text);
    for (const period of ['today', '24h', '7d'] as Period[]) {
      const sum = sumLedgers([{ id, state }], reportWindowOf(period, DAY_MS + 24 * 60 * MINUTE_MS - 1));
      expect(sum.impressions, period).to.equal(impressions);
      for (const rows of [sum.counterparties, sum.creatives]) {
        expect([...rows.values()].reduce((all, row) => all + row.impressions, 0)).to.equal(impressions);
        expect([...rows.values()].reduce((all, row) => all + row.grossNanos, 0n)).to.equal(sum.grossNanos);
      }
    }
  });

  it('hold for creatives whose ids are as long as an answer can be, and for any characters', () => {
    const id = ledgerId('dsp', 'dsp-1', DAY_MS, false);
    let state = ledger.initial(id);
    const lengthy = (text: string, number: number) => `${text.repeat(20_000)}${number}`;
    const told = (version: number): Totals => {
      const creatives = Array.from({ length: MAX_ROWS }, (_, number) => ({
        ...{ id: lengthy(['x', '€', '\ud83d\ude00', '\udc00.', '%'][number % 5]!, 1_000 + number) },
        ...{ impressions: version, grossNanos: 7 * version, feeNanos: version },
      }));
      const sum = { impressions: version * MAX_ROWS, grossNanos: 7 * version * MAX_ROWS, feeNanos: version * MAX_ROWS };
      const regions = [{ region: 'fra', ...sum, counterparties: [], creatives }];
      return { partition: 1, minuteMs: DAY_MS, version: `${DAY_MS}-${version}`, regions };
    };
    for (const version of [1, 2, 3]) {
      const body = told(version);
      const context = { id, address: `ledger/${id}`, nowMs: DAY_MS, position: body.version, random: () => 0 };
      ledger.handle(state, { type: 'totals', body }, context);
      const bids = body.regions[0]!.creatives.map((row) => ({ id: row.id, bids: 5, wins: 1 }));
      const facts = { minuteMs: DAY_MS, region: 'fra', counts: {}, counterparties: [], creatives: bids, latency: {} };
      ledger.handle(state, { type: 'facts', body: facts }, context);
    }
    const text = JSON.stringify(state);
    expect(text.length).to.be.below(200_000);
    state = JSON.parse(text);
    const { creatives } = sumLedgers([{ id, state }], reportWindowOf('today', DAY_MS + 1));
    const rows = [...creatives].map(([name, { impressions, bids }]) => [
      boundedRowName(name) === name,
      impressions,
      bids,
    ]);
    expect(rows, 'each with what was told of it, and known by its name').to.deep.equal(
      Array.from({ length: MAX_ROWS }, () => [true, 3, 15]),
    );
  });

  it('leave names as they are that have room', () => {
    for (const name of ['a', uuid('c', 1), 'banner 300x250/summer.v2', 'x'.repeat(64), '*', 'constructor', '€€']) {
      expect(boundedRowName(name)).to.equal(name);
    }
    expect(boundedRowName(`${'x'.repeat(80)}1`)).to.not.equal(boundedRowName(`${'x'.repeat(80)}2`));
  });
});

import { impressionRollup } from '#actors/impression-rollup/impression-rollup';
import { closedHourOf } from '#actors/ledger/closed-hours';
import { ledger } from '#actors/ledger/ledger';
import { dayLedgerId, HOUR_MS, hourLedgerId, type LedgerScope } from '#actors/ledger/ledger-id';
import { OTHERS_KEY } from '#actors/ledger/page';
import type { LedgerState } from '#actors/ledger/state';
import { ledgerMinutes } from '#actors/ledger-minutes/ledger-minutes';
import { positionOf } from '#runtime/actor/position';
import { encodeEnvelope } from '#runtime/node/envelope';
import { Market, type Parties } from '../market.ts';
import { PER_PARTITION, TURNS_SECONDS } from '../target.ts';
import { type Encodings, encodings } from './encodings.ts';
import { hourOfTotals, type ToldTotals } from './hour-of-totals.ts';
import { Rollup } from './rollup.ts';

const DAY_MS = Date.UTC(2030, 0, 15);
const HOUR_OF_DAY = 10;

/** One partition's rollup at the target's rate. */
export interface RollupUnits {
  readonly turnSeconds: number;
  readonly foldMicros: number;
  /** CPU time to make what one save turn tells, and to write it as log entries. */
  readonly totalsMicros: number;
  readonly envelopeMicros: number;
  readonly impressionsPerTurn: number;
  /** Messages of a turn: those to ledgers, and those to feeds. */
  readonly totalsPerTurn: number;
  readonly feedRowsPerTurn: number;
  readonly bytesPerTotals: number;
  /** The share of impressions for which the rollup has no room. */
  readonly parkedShare: number;
  /** The share of impressions whose creative is counted among the others, because its page names too many. */
  readonly unnamedShare: number;
  /** The document at the end of a minute, when it is largest. */
  readonly document: Encodings;
}

/** One owner's ledger of an hour at the target's rate. */
export interface LedgerUnits {
  readonly scope: LedgerScope;
  readonly turnSeconds: number;
  readonly perSecond: number;
  readonly totalsPerSecond: number;
  /** CPU time to add the totals of one partition, without reading the message. */
  readonly addMicros: number;
  readonly middle: Encodings;
  readonly end: Encodings;
  /** The document of the minutes that have left it, at the hour's end, and in how many batches they did. */
  readonly minutes: { readonly batches: number; readonly end: Encodings };
}

/** The ledger of a day that has received 24 such hours. */
export interface DayUnits {
  readonly scope: LedgerScope;
  readonly fileMicros: number;
  readonly hourBytes: number;
  readonly document: Encodings;
}

export interface Units {
  readonly rollups: readonly RollupUnits[];
  readonly ledgers: readonly LedgerUnits[];
  readonly days: readonly DayUnits[];
}

/** The unit costs of the target, each by itself on this core. */
export function measureUnits(seed: string): Units {
  const market = new Market(seed);
  measureRollup(market, 1, 1);
  const publisher = market.anyPublisher();
  const dsp = market.meanDsp();
  const campaign = market.anyCampaign(dsp);
  const owners: { scope: LedgerScope; id: string; perSecond: number; parties: () => Parties }[] = [
    { scope: 'publisher', id: publisher.id, perSecond: 2, parties: () => ({ publisher }) },
    { scope: 'dsp', id: dsp, perSecond: 20, parties: () => ({ campaign: market.anyCampaign(dsp) }) },
    { scope: 'campaign', id: campaign.id, perSecond: 0.2, parties: () => ({ campaign }) },
  ];
  const ledgers: LedgerUnits[] = [];
  const days: DayUnits[] = [];
  for (const { scope, id, perSecond, parties } of owners) {
    for (const turnSeconds of TURNS_SECONDS) {
      const hourMs = DAY_MS + HOUR_OF_DAY * HOUR_MS;
      const ledgerOfHour = hourLedgerId(scope, id, hourMs, false);
      const told = hourOfTotals(market, `ledger/${ledgerOfHour}`, parties, perSecond, turnSeconds, hourMs);
      const { units, state } = measureHour(ledgerOfHour, told);
      ledgers.push({ scope, turnSeconds, perSecond, totalsPerSecond: told.length / 3_600, ...units });
      if (turnSeconds === TURNS_SECONDS[0]) days.push({ scope, ...measureDay(ledgerOfHour, state) });
    }
  }
  return { rollups: TURNS_SECONDS.map((turnSeconds) => measureRollup(market, turnSeconds, 2)), ledgers, days };
}

function measureRollup(market: Market, turnSeconds: number, minutes: number): RollupUnits {
  const rollup = new Rollup(7, DAY_MS);
  const spent = { fold: 0, totals: 0, envelopes: 0 };
  const counted = { impressions: 0, parked: 0, unnamed: 0, totals: 0, rows: 0, bytes: 0, turns: 0 };
  let document: Encodings | null = null;
  let nextMs = DAY_MS + market.gapMs(PER_PARTITION);
  for (let second = turnSeconds; second <= minutes * 60; second += turnSeconds) {
    const endMs = DAY_MS + second * 1_000;
    const arrived: { impression: ReturnType<Market['next']>; atMs: number }[] = [];
    for (; nextMs < endMs; nextMs += market.gapMs(PER_PARTITION))
      arrived.push({ impression: market.next(nextMs), atMs: nextMs });
    spent.fold += cpuMicrosOf(() => {
      for (const { impression, atMs } of arrived) if (!rollup.fold(impression, atMs)) counted.parked += 1;
    });
    counted.impressions += arrived.length;
    counted.turns += 1;
    if (second % 60 === 0) counted.unnamed += unnamed(rollup);
    if (second === minutes * 60) {
      document = encodings({ definition: impressionRollup, ...rollup, position: rollup.position });
    }
    let sends: ReturnType<Rollup['totals']> = [];
    spent.totals += cpuMicrosOf(() => {
      sends = rollup.totals();
    });
    let entries: string[] = [];
    spent.envelopes += cpuMicrosOf(() => {
      entries = sends.map((send) => encodeEnvelope(send));
    });
    for (const [index, { type }] of sends.entries()) {
      if (type === 'totals') {
        counted.totals += 1;
        counted.bytes += entries[index]!.length;
      } else counted.rows += 1;
    }
    rollup.told();
  }
  return {
    turnSeconds,
    foldMicros: spent.fold / counted.impressions,
    totalsMicros: spent.totals / counted.turns,
    envelopeMicros: spent.envelopes / counted.turns,
    impressionsPerTurn: counted.impressions / counted.turns,
    totalsPerTurn: counted.totals / counted.turns,
    feedRowsPerTurn: counted.rows / counted.turns,
    bytesPerTotals: counted.bytes / counted.totals,
    parkedShare: counted.parked / counted.impressions,
    unnamedShare: counted.unnamed / counted.impressions,
    document: document!,
  };
}

/** The impressions of the newest page whose creative it does not name. */
function unnamed({ state }: Rollup): number {
  const rows = state.pages.at(-1)!.rows.filter(({ crid }) => crid === OTHERS_KEY);
  return rows.reduce((sum, { impressions }) => sum + impressions, 0);
}

function measureHour(
  id: string,
  told: readonly ToldTotals[],
): { units: Pick<LedgerUnits, 'addMicros' | 'middle' | 'end' | 'minutes'>; state: LedgerState } {
  const state = ledger.initial(id);
  const minutes = ledgerMinutes.initial(id);
  let position = '0-0';
  const contextAt = (nowMs: number) => ({ id, address: `ledger/${id}`, nowMs, position, random: () => 0 });
  const add = (from: number, to: number) =>
    cpuMicrosOf(() => {
      for (let index = from; index < to; index++) {
        const { atMs, totals } = told[index]!;
        position = positionOf(atMs, index);
        ledger.handle(state, { type: 'totals', body: totals }, contextAt(atMs));
        for (const { number, names, pages } of state.leaving ?? [])
          ledgerMinutes.handle(minutes, { type: 'minutes', body: { number, names, pages } }, contextAt(atMs));
        ledger.onPublished!(state, position);
      }
    });
  const encoded = () => encodings({ definition: ledger, id, position, state });
  const half = told.length >> 1;
  const first = add(0, half);
  const middle = encoded();
  const second = add(half, told.length);
  const left = {
    batches: minutes.received.length,
    end: encodings({ definition: ledgerMinutes, id, position, state: minutes }),
  };
  return { units: { addMicros: (first + second) / told.length, middle, end: encoded(), minutes: left }, state };
}

function measureDay(ledgerOfHour: string, hour: LedgerState): Omit<DayUnits, 'scope'> {
  const id = dayLedgerId(ledgerOfHour);
  const state = ledger.initial(id);
  const closed = closedHourOf(ledgerOfHour, hour);
  // Budget windows of other hours are others.
  const hours = Array.from({ length: 24 }, (_, number) => {
    const shiftMs = (number - HOUR_OF_DAY) * HOUR_MS;
    const slots = Object.fromEntries(Object.entries(closed.slots).map(([slot, sum]) => [Number(slot) + shiftMs, sum]));
    return structuredClone({ ...closed, hour: number, slots });
  });
  const micros = cpuMicrosOf(() => {
    for (const body of hours) {
      const position = positionOf(DAY_MS + (body.hour + 1) * HOUR_MS, 0);
      const context = { id, address: `ledger/${id}`, nowMs: DAY_MS, position, random: () => 0 };
      ledger.handle(state, { type: 'hour', body }, context);
    }
  });
  return {
    fileMicros: micros / hours.length,
    hourBytes: encodeEnvelope({ to: `ledger/${id}`, type: 'hour', body: closed }).length,
    document: encodings({ definition: ledger, id, position: '1-0', state }),
  };
}

function cpuMicrosOf(work: () => void): number {
  const since = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(since);
  return user + system;
}

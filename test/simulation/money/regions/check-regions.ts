import { utcDay } from '#actors/ledger/ledger-id';
import { readRegions } from '#edge/regions/read-regions';
import { comparePositions } from '#runtime/ports/position';
import type { TooLateEntry } from '#runtime/ports/relayed';
import type { Violations } from '#runtime/simulator/auditor/violations';
import type { LogServer } from '#runtime/simulator/log-server';
import type { CornerCaseCounts } from '../corner-case-counts.ts';
import type { FeesAndBudgets } from '../fees-and-budgets.ts';
import type { MoneyModel } from '../money-model.ts';
import type { MarketRegion } from './market-region.ts';
import { positionAt, type RegionEntry, type RegionLog } from './region-history.ts';

const RELAYED = 'relayed is acknowledged';
const PARKED = 'what comes too late is parked with its sum';

/**
 * Everything that a region's log has taken is at home, unless it was lost with that log; what is at home is billed or
 * counted, unless it came too late, and all of that and nothing else is parked. Returns the ids that may have been
 * answered 200 and are not billed.
 */
export async function checkRegions(
  regions: readonly MarketRegion[],
  { home, model, terms }: { home: LogServer; model: MoneyModel; terms: FeesAndBudgets },
  corners: CornerCaseCounts,
  violations: Violations,
): Promise<ReadonlySet<string>> {
  const parked = parkedByEntry(home, violations);
  const unbilled = new Set<string>();
  const sums = new Map<string, ParkedSum>();
  for (const log of regions.flatMap(({ history }) => history.logs)) {
    for (const entry of log.entries.values()) {
      const name = `${log.source} ${entry.partition} ${entry.position}`;
      const late = parked.get(name);
      parked.delete(name);
      const isHome = comparePositions(entry.position, positionAt(home, entry.partition, log.source)) <= 0;
      if (isHome) checkTaken(log, entry, late, model, violations);
      else if (!log.isLost) violations.add(RELAYED, `${name} is not at home`);
      else if (late !== undefined) violations.add(RELAYED, `${name} was lost and is parked`);
      if (entry.type !== 'impression') continue;
      if (isHome) corners.count('impressions come home from a region');
      else corners.count('impressions are lost with the log of their region');
      if (!isHome || late !== undefined) unbilled.add(entry.impression.id);
      if (late === undefined) continue;
      corners.count(`impressions are parked as too late: ${whyLate(log, entry)}`);
      const sum = sums.get(log.source!) ?? { impressions: 0, grossNanos: 0 };
      sums.set(log.source!, sum);
      sum.impressions += 1;
      sum.grossNanos += entry.impression.priceCpmMicros;
    }
  }
  for (const name of parked.keys()) violations.add(PARKED, `${name} is parked and never came`);
  await checkSums(home, sums, violations);
  countTwice(regions, model, corners);
  if (regions.length > 0) countShared(model, (dsp, day) => isLimitedOn(terms, dsp, day), corners);
  return unbilled;
}

interface ParkedSum {
  impressions: number;
  grossNanos: number;
}

function parkedByEntry(home: LogServer, violations: Violations): Map<string, TooLateEntry> {
  const parked = new Map<string, TooLateEntry>();
  for (const state of home.partitions) {
    for (const one of state.tooLate(Number.POSITIVE_INFINITY)) {
      const name = `${one.source} ${state.partition} ${one.from}`;
      if (parked.has(name)) violations.add(PARKED, `${name} is parked twice`);
      parked.set(name, one);
    }
  }
  return parked;
}

function checkTaken(
  log: RegionLog,
  entry: RegionEntry,
  late: TooLateEntry | undefined,
  model: MoneyModel,
  violations: Violations,
): void {
  const { partition, position, type, impression, payload, cameAtMs, cameWhen } = entry;
  const what = `${log.source} ${partition} ${position} with ${impression.id}`;
  if (cameAtMs === null) {
    violations.add(RELAYED, `${what} is said to be at home, and never came`);
    return;
  }
  const tooLateFromMs = log.tooLateFromMs(entry);
  if (late !== undefined) {
    if (cameAtMs.last < tooLateFromMs && !cameWhen.has('yes') && !cameWhen.has('writing')) {
      violations.add(PARKED, `${what} is parked, and came in time`);
    }
    if (late.payload !== payload) violations.add(PARKED, `${what} is parked as ${late.payload}`);
    return;
  }
  if (cameAtMs.first >= tooLateFromMs || (!cameWhen.has('no') && !cameWhen.has('writing'))) {
    violations.add(PARKED, `${what} came too late, and is not parked`);
  }
  const isThere = model.billable.has(impression.id) || (type === 'invalid' && model.invalid.has(impression.id));
  if (!isThere) violations.add(RELAYED, `${what} is at home, and neither billed nor parked`);
}

function whyLate(log: RegionLog, entry: RegionEntry): string {
  if (entry.cameAtMs!.last < log.tooLateFromMs(entry)) return 'its region is written off';
  return entry.impression.region === log.region ? 'more than 8 days' : 'an hour, of an id that its region did not sell';
}

/** `exchange regions` and `exchange audit` name what each source has cost. */
async function checkSums(home: LogServer, sums: ReadonlyMap<string, ParkedSum>, violations: Violations): Promise<void> {
  const relayed = {
    sources: async (partition: number) => home.partition(partition).sources(),
    tooLate: async (partition: number, limit: number) => home.partition(partition).tooLate(limit),
  };
  const named = await readRegions({ relayed, partitions: home.partitions.map(({ partition }) => partition) });
  for (const { name, too_late } of named) {
    const { impressions, grossNanos } = sums.get(name) ?? { impressions: 0, grossNanos: 0 };
    if (too_late.impressions === impressions && too_late.gross_nanos === grossNanos) continue;
    const found = `${too_late.impressions} impressions, ${too_late.gross_nanos}`;
    violations.add(PARKED, `${name}: ${found}; it is ${impressions}, ${grossNanos}`);
  }
}

/** Ids that more than one log has acknowledged. */
function countTwice(regions: readonly MarketRegion[], model: MoneyModel, corners: CornerCaseCounts): void {
  const taken = new Map<string, Set<RegionLog>>();
  for (const log of regions.flatMap(({ history }) => history.logs)) {
    for (const { type, impression, cameAtMs } of log.entries.values()) {
      if (type !== 'impression') continue;
      const by = taken.get(impression.id) ?? new Set();
      taken.set(impression.id, by.add(log));
      const soldHere = impression.region === log.region;
      if (!soldHere) corners.count('a pixel is called in a region that did not sell it');
      if (!soldHere && regions.some(({ name }) => name === impression.region))
        corners.count('a pixel of one region is called in another');
      const billed = model.billable.get(impression.id);
      if (cameAtMs === null || billed === undefined) continue;
      if (billed.atMs < cameAtMs.first)
        corners.count(`a region brings what was billed by another way${soldHere ? ', and sold it' : ''}`);
      if (billed.atMs - impression.soldAtMs! > 3 * 3_600_000)
        corners.count('billed hours after its sale, from a region that was cut off');
    }
  }
  for (const { size } of taken.values()) {
    if (size > 1) corners.count('two logs of regions acknowledge one impression');
    if (size > 2) corners.count('three logs of regions acknowledge one impression');
  }
}

/** Days on which one budget was spent at several places, home among them. */
function countShared(
  model: MoneyModel,
  isLimited: (dsp: string, day: string) => boolean,
  corners: CornerCaseCounts,
): void {
  const places = new Map<string, Set<string>>();
  for (const { impression } of model.billable.values()) {
    const { dsp, region, soldAtMs } = impression;
    const day = utcDay(soldAtMs!);
    if (!isLimited(dsp, day)) continue;
    const of = places.get(`${dsp} ${day}`) ?? new Set();
    places.set(`${dsp} ${day}`, of.add(region!));
  }
  for (const { size } of places.values()) if (size > 1) corners.count(`a budget is spent at ${size} places on a day`);
}

function isLimitedOn(terms: FeesAndBudgets, dsp: string, day: string): boolean {
  const dayMs = Date.parse(day);
  return !terms.budgets(dsp, dayMs, dayMs + 86_400_000).includes(0);
}

import { budgetWindowStart } from '#actors/budget/budget-window';
import type { DspProjection } from '#actors/dsp/fields';
import type { Impression } from '#actors/impression-rollup/messages';
import { DrainedRegions } from '#edge/budgets/drained-regions';
import { LeasedBudgets } from '#edge/budgets/leased-budgets';
import { homeLender } from '#edge/budgets/lender';
import { openBudget } from '#edge/budgets/open-budget';
import { decodeRegionBudget, encodeRegionBudget } from '#edge/budgets/region/region-budget-text';
import { RegionLender } from '#edge/budgets/region/region-lender';
import { RegionReadings, type RegionsReading } from '#edge/budgets/region-readings';
import { SaleCeilings } from '#edge/budgets/sale-ceilings';
import { NOTE_OFFSET_FROM_END } from '#edge/impressions/impression-entry';
import type { ImpressionLog } from '#edge/impressions/impression-log';
import { encodeEnvelope } from '#runtime/node/envelope';
import { hashAddress } from '#runtime/node/kind-registry';
import { SILENT } from '#runtime/node/logger';
import type { Clock } from '#runtime/ports/clock';
import type { AppendOnceOutcome } from '#runtime/ports/log';
import type { SharedRecord, SharedRecords } from '#runtime/ports/shared-records';
import type { Member } from '#runtime/simulator/cluster';
import type { SeededRandom } from '#runtime/simulator/seeded-random';
import { parkedSpendOf, undecidedMoney } from '#scheduler/billing/parked-money';
import type { BrokenMoney } from './broken-money.ts';
import type { Market } from './market.ts';

export const RENDER_WINDOW_MS = 3_600_000;
/** What an edge could not append waits in its spool at most so much longer. */
const SPOOLED_AT_MOST_MS = 3_600_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CLOSE_AFTER_MS = 1_000;

/** What a tracking URL says: enough to bill it at any edge. */
export type Sale = Impression & { readonly soldAtMs: number };

/** Where an edge stands. */
export interface EdgePlace {
  readonly region: string;
  /** What takes its impressions. */
  readonly impressions: ImpressionLog;
  /** What it leases from together with others; absent where it leases at home by itself. */
  readonly records?: SharedRecords;
  /** Reads how far the regions with logs of their own are drained; absent where there are none. */
  readonly readRegions?: () => Promise<RegionsReading>;
}

/**
 * One edge process, as far as money goes: sells from its real leases, and appends what is rendered by the real port.
 */
export class MoneyEdge {
  readonly member: Member;
  readonly region: string;
  readonly #impressions: ImpressionLog;
  readonly #knowsRegions: boolean;
  readonly #budgets: LeasedBudgets;
  /** As this edge knows it. */
  readonly #market: Market;
  readonly #random: SeededRandom;
  readonly #broken: BrokenMoney;

  constructor(member: Member, place: EdgePlace, market: Market, random: SeededRandom, broken: BrokenMoney) {
    const { node, process, store } = member;
    const { readRegions } = place;
    this.member = member;
    this.region = place.region;
    this.#impressions = place.impressions;
    this.#knowsRegions = readRegions !== undefined;
    this.#market = market;
    this.#random = random;
    this.#broken = broken;
    const latestMs = RENDER_WINDOW_MS + SPOOLED_AT_MOST_MS;
    const { messenger } = node;
    const selling = {
      ...{ messenger, clock: process, logger: SILENT, edge: node.incarnation, windowGraceMs: CLOSE_AFTER_MS },
    };
    // Where a demand source may be given its first budget, what is sold before is stated.
    const ceilings =
      readRegions && new SaleCeilings({ ...selling, slotsFromMs: slotsFrom(process, readRegions, latestMs) });
    ceilings?.start();
    const endUnleased = async (budgetId: string) => ceilings?.end(budgetId);
    const opening = {
      store,
      messenger,
      clock: process,
      latestMs,
      endUnleased,
      parkedSpend: async (throughMs: number) => parkedSpendOf(await undecidedMoney(store), throughMs),
      ...(readRegions && { regions: new RegionReadings(readRegions) }),
    };
    const home = homeLender(messenger);
    const { region } = place;
    const records = broken.has('draws-are-exclusive')
      ? withOwnDrawsAlone(place.records, node.incarnation)
      : place.records;
    // Of edges that lease together some do as those with many budgets.
    const hasMany = records !== undefined && /[02468]$/.test(member.name);
    const sizes = hasMany ? { fewBudgets: 0 } : {};
    const lender =
      records && new RegionLender({ records, home, region, clock: process, random, logger: SILENT, ...sizes });
    lender?.start();
    this.#budgets = new LeasedBudgets({
      ...selling,
      ...sizes,
      lender: lender ?? home,
      dsp: (dspId) => market.dsps.get(dspId) as DspProjection | undefined,
      renderWindowMs: latestMs,
      onUnleasedSale: (sold) => ceilings?.add(sold),
      onLimited: (budgetId) => void ceilings?.end(budgetId).catch(() => {}),
      openBudget: (held) => openBudget(opening, held),
    });
    this.#budgets.start();
  }

  /** An auction with so many imps that one demand source would win. Of those what its budget pays for. */
  async auction(imps: number): Promise<Sale[]> {
    const { publishers, dsps, prices } = this.#market;
    const publisher = this.#random.pick([...publishers.keys()]);
    const dsp = this.#random.pick([...dsps.keys()]);
    const nowMs = this.member.process.now();
    if (this.#budgets.available(dsp, null, 0, nowMs) === null) await this.#budgets.pendingLeases();
    const soldAtMs = this.member.process.now();
    const auction = this.#random.id();
    const sales: Sale[] = [];
    for (let imp = 0; imp < imps; imp += 1) {
      const priceCpmMicros = this.#random.pick(prices);
      if (!this.#budgets.reserve(dsp, null, priceCpmMicros, soldAtMs)) continue;
      const { accountId: account, feePpm } = publishers.get(publisher)!;
      const id = this.#random.id();
      const { region } = this;
      sales.push({ id, auction, publisher, dsp, account, soldAtMs, priceCpmMicros, feePpm, region });
    }
    return sales;
  }

  /**
   * A call, `invalid` for a reason or not. Rejects when it is not known whether it was appended. `spooled`: it was
   * answered long ago, and kept on disk.
   */
  async render(sale: Sale, spooled: boolean, invalid: string | null = null): Promise<AppendOnceOutcome> {
    const { log } = this.member.log;
    const impressions = this.#impressions;
    const partition = hashAddress(sale.id) % log.partitions;
    // What is in a spool was verified when it was put there.
    const { feePpm } = spooled ? sale : this.#market.publishers.get(sale.publisher)!;
    const body: Impression = { ...sale, feePpm };
    const to = `tally/${partition}`;
    const payload =
      invalid === null
        ? encodeEnvelope({ to, type: 'impression', body })
        : encodeEnvelope({ to, type: 'invalid', body: { ...body, reason: invalid } });
    const noted = this.#broken.has('billed-after-invalid') ? {} : { noteBefore: NOTE_OFFSET_FROM_END };
    if (this.#broken.has('appended-once')) return (await log.append(partition, [payload])) && 'appended';
    const remembersForeign = this.#isForeign(sale) && !this.#broken.has('foreign-is-remembered');
    const [outcome] = await impressions.appendOnce(partition, [
      {
        id: sale.id,
        bucketMs: Math.floor(sale.soldAtMs / HOUR_MS) * HOUR_MS,
        expiresAtMs: sale.soldAtMs + RENDER_WINDOW_MS + (spooled ? SPOOLED_AT_MOST_MS : 0),
        ...(spooled && { firstExpiresAtMs: sale.soldAtMs + RENDER_WINDOW_MS }),
        payload,
        ...(invalid === null ? noted : { provisional: `,"revalidates":"${invalid}"` }),
        ...(remembersForeign && { isForeign: true as const }),
      },
    ]);
    return outcome!;
  }

  /** Whether another region sold it, which may bring it too. */
  #isForeign({ region }: Sale): boolean {
    return region !== this.region && this.#knowsRegions;
  }
}

/** As an edge has it that knows no watermark. */
function slotsFrom(clock: Clock, readRegions: () => Promise<RegionsReading>, latestMs: number): () => number {
  const regions = new DrainedRegions(async () => (await readRegions()).throughMs, clock);
  return () => {
    const completeMs = clock.now() - DAY_MS;
    return budgetWindowStart(Math.min(completeMs, regions.throughMs ?? completeMs) - latestMs);
  };
}

/** Start of the budget window that pays for a sale. */
export function payingSlot({ soldAtMs }: Pick<Sale, 'soldAtMs'>): number {
  return budgetWindowStart(soldAtMs);
}

/** Sees no draws of a region's lease but the edge's own. */
function withOwnDrawsAlone(records: SharedRecords | undefined, edge: string): SharedRecords | undefined {
  const own = (record: SharedRecord): SharedRecord => {
    const state = decodeRegionBudget(record.text);
    const slots = state.slots.map((window) => ({
      ...window,
      closedNanos: 0,
      grants: window.grants.filter((grant) => grant.edge === edge),
    }));
    return { ...record, text: encodeRegionBudget({ ...state, slots }) };
  };
  return (
    records && {
      ...records,
      read: async (id) => {
        const record = await records.read(id);
        return record?.text.startsWith('{') ? own(record) : record;
      },
    }
  );
}

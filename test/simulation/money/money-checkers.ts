import { impressionRollup } from '#actors/impression-rollup/impression-rollup';
import type { Impression } from '#actors/impression-rollup/messages';
import { acceptedIdsOf } from '#actors/impression-rollup/reduce';
import type { ImpressionRollupState } from '#actors/impression-rollup/state';
import { ledger } from '#actors/ledger/ledger';
import { dayLedgerId, type LedgerScope, ledgerId, PLATFORM_OWNER_ID, utcDay } from '#actors/ledger/ledger-id';
import { monthOf, reportWindowOfMonth } from '#actors/ledger/report/month';
import { type FrozenStatement, type StatementState, statement } from '#actors/statement/statement';
import { statementId } from '#actors/statement/statement-id';
import { LEDGER_WATERMARK_ID, type WatermarkState, watermark } from '#actors/watermark/watermark';
import { divideHalfEven } from '#exchange/money/half-even';
import type { DeadLetter } from '#runtime/ports/store';
import type { Violations } from '#runtime/simulator/auditor/violations';
import { fromStored, type StoredDocument, type StoreObserver, type StoreServer } from '#runtime/simulator/store-server';
import { auditBooks } from '#scheduler/audit/audit-books';
import type { Billable, Invalid, ModelSum } from './booked-entries.ts';
import type { CornerCaseCounts } from './corner-case-counts.ts';
import type { FaultyRelease } from './faulty-release.ts';
import type { FeesAndBudgets } from './fees-and-budgets.ts';
import { LedgerSums, type LedgerSumWithInvalid } from './ledger-sums.ts';
import type { Market } from './market.ts';
import { payingSlot } from './money-edge.ts';
import type { MoneyModel } from './money-model.ts';

const DAY_MS = 86_400_000;
const NANOS_PER_CENT = 10_000_000n;
/** More than wall clocks jump in a run, and an edge takes to hear of a change. */
const CLOCKS_DIFFER_MS = 1_800_000;

/**
 * Sees every save: what a statement says when it is frozen it says for good, and the watermark says the truth when it
 * is raised.
 */
export class MoneyHistoryObserver implements StoreObserver {
  readonly #model: MoneyModel;
  readonly #market: Market;
  readonly #violations: Violations;
  readonly #release: FaultyRelease;
  readonly #corners: CornerCaseCounts;
  readonly #frozen = new Set<string>();
  readonly #logNowMs: () => number;
  readonly #sums: LedgerSums;
  /** The days' ledgers of which a message was ever parked: it may be missing until it is replayed. */
  readonly #parkedLedgers = new Set<string>();
  throughMs = 0;
  frozen = 0;
  raises = 0;

  constructor(
    { store, model, market }: { store: StoreServer; model: MoneyModel; market: Market },
    { release, corners, violations }: { release: FaultyRelease; corners: CornerCaseCounts; violations: Violations },
    logNowMs: () => number,
  ) {
    this.#sums = new LedgerSums(store);
    this.#model = model;
    this.#market = market;
    this.#release = release;
    this.#corners = corners;
    this.#logNowMs = logNowMs;
    this.#violations = violations;
  }

  saved(saved: StoredDocument, before: StoredDocument | null): void {
    const { kind, id } = saved;
    if (kind === statement.kind) {
      const frozen = (document: StoredDocument) => (fromStored(document).state as StatementState).frozen;
      const was = before && frozen(before);
      this.#frozen.add(id);
      if (was === null) this.frozen += 1;
      else if (JSON.stringify(was) !== JSON.stringify(frozen(saved))) {
        this.#violations.add('statements are immutable', `${id} was changed`);
      }
    }
    if (kind === watermark.kind && id === LEDGER_WATERMARK_ID)
      this.#raised((fromStored(saved).state as WatermarkState).throughMs);
  }

  parked({ to, type, reason, payload }: Pick<DeadLetter, 'to' | 'type' | 'reason' | 'payload'>): void {
    const [kind, id] = to.split('/') as [string, string];
    if (this.#release.explains(reason) && kind === ledger.kind) {
      this.#parkedLedgers.add(dayLedgerId(id));
      this.#corners.count(`a message ${type} of a ledger is parked`);
    } else if (this.#release.explains(reason)) {
      this.#model.parked(payload);
      this.#corners.count('an impression is parked');
    } else this.#violations.add('nothing is parked', `${to}: ${reason}`);
  }

  /**
   * An impression comes to the log; whether the statement of the month in which it was sold had been frozen by then.
   */
  noteLate({ publisher, soldAtMs }: Impression): void {
    const id = statementId('publisher', publisher, monthOf(soldAtMs!));
    if (this.#frozen.has(id)) this.#corners.count('an impression of a month that is frozen comes late');
  }

  /** Hours of before it hold what was appended in them, on every side: at the very moment at which it is said. */
  #raised(throughMs: number): void {
    this.raises += 1;
    if (throughMs < this.throughMs) this.#violations.add('the watermark is true', `it fell to ${throughMs}`);
    const month = monthOf(throughMs);
    if (month !== monthOf(this.throughMs) && this.throughMs > 0) {
      const lateMs = this.#logNowMs() - reportWindowOfMonth(month)!.fromMs;
      const late = lateMs < 3_000 ? 'within 3 s' : lateMs < 10_000 ? '3 to 10 s late' : 'later';
      this.#corners.count(`the books pass a month's end ${late}`);
    }
    this.throughMs = throughMs;
    const dayMs = Math.floor((throughMs - 1) / DAY_MS) * DAY_MS;
    for (const fromMs of [dayMs - DAY_MS, dayMs]) {
      const expected = this.#model.within(fromMs, Math.min(throughMs, fromMs + DAY_MS));
      for (const [scope, whose, of] of ledgersOfMarket(this.#market)) {
        const held = this.#sums.of(scope, whose, fromMs);
        const due = expected.sum(of);
        // More may have come since: what is said is that nothing of before is missing.
        if (held.impressions >= due.impressions && held.grossNanos >= due.grossNanos) continue;
        if (this.#parkedLedgers.has(ledgerId(scope, whose, fromMs, false))) continue;
        this.#violations.add(
          'the watermark is true',
          `through ${new Date(throughMs).toISOString()} ${scope} ${whose} holds ${held.impressions} of ${due.impressions}`,
        );
      }
    }
  }
}

/** Every set of live books, and what belongs into it. */
function ledgersOfMarket({ publishers, dsps }: Market): [LedgerScope, string, (one: Billable | Invalid) => boolean][] {
  const accounts = [...new Set([...publishers.values()].map(({ accountId }) => accountId))];
  return [
    ['platform', PLATFORM_OWNER_ID, () => true],
    ...[...publishers.keys()].map(
      (id) =>
        ['publisher', id, ({ impression }: Billable | Invalid) => impression.publisher === id] as [
          LedgerScope,
          string,
          never,
        ],
    ),
    ...[...dsps.keys()].map(
      (id) =>
        ['dsp', id, ({ impression }: Billable | Invalid) => impression.dsp === id] as [LedgerScope, string, never],
    ),
    ...accounts.map(
      (id) =>
        ['account', id, ({ impression }: Billable | Invalid) => impression.account === id] as [
          LedgerScope,
          string,
          never,
        ],
    ),
  ];
}

const textOf = ({ impressions, grossNanos, feeNanos, invalid }: LedgerSumWithInvalid) =>
  `${impressions} impressions, gross ${grossNanos}, fee ${feeNanos}, ${JSON.stringify(invalid)}`;

/**
 * Every ledger of every day holds what the model says, and no other ledger holds anything. `unbilled`: what regions
 * have answered and lost, or brought too late.
 */
export function checkLedgers(
  store: StoreServer,
  model: MoneyModel,
  market: Market,
  unbilled: ReadonlySet<string>,
  violations: Violations,
): void {
  const all = [...model.billable.values(), ...model.invalid.values()];
  const days = new Set(all.map(({ atMs }) => Math.floor(atMs / DAY_MS) * DAY_MS));
  const expected = new Set<string>();
  const sums = new LedgerSums(store);
  for (const dayMs of days) {
    const booked = model.within(dayMs, dayMs + DAY_MS);
    for (const [scope, whose, of] of ledgersOfMarket(market)) {
      expected.add(ledgerId(scope, whose, dayMs, false));
      const held = textOf(sums.of(scope, whose, dayMs));
      const due = textOf({ ...booked.sum(of), invalid: booked.invalidCounts(of) });
      if (held === due) continue;
      violations.add('the books are the model', `${scope} ${whose} on ${utcDay(dayMs)}: ${held}; it is ${due}`);
    }
  }
  for (const id of store.ids(ledger.kind)) {
    if (!expected.has(dayLedgerId(id))) violations.add('the books are the model', `there is a ledger ${id} of nothing`);
  }
  let taken = 0;
  for (const { state } of store.all(impressionRollup.kind))
    taken += acceptedIdsOf((state as ImpressionRollupState).day);
  if (taken !== model.idsInBooks) {
    violations.add('every id is billed or invalid, once', `tallies have taken ${taken} in, of ${model.idsInBooks}`);
  }
  for (const id of model.answered) {
    if (!model.billable.has(id) && !unbilled.has(id)) violations.add('what was answered 200 is billed', `${id} is not`);
  }
}

/**
 * Each closed month of each source with books is frozen, and is the model's count × price, rounded once, at a fee that
 * held between the month's end and the freeze; late ones are told.
 */
export function checkStatements(
  store: StoreServer,
  model: MoneyModel,
  { market: { publishers, dsps }, terms }: { market: Market; terms: FeesAndBudgets },
  months: readonly string[],
  violations: Violations,
): void {
  for (const month of months) {
    const { fromMs, toMs } = reportWindowOfMonth(month)!;
    const booked = model.within(fromMs, toMs);
    for (const [scope, sources] of [
      ['publisher', publishers],
      ['dsp', dsps],
    ] as const) {
      for (const id of sources.keys()) {
        const own = ({ impression }: Billable | Invalid) => impression[scope] === id;
        const due = booked.sum(own);
        const late = booked.sum((one) => own(one) && payingSlot(one.impression as { soldAtMs: number }) < fromMs);
        const document = store.load({ kind: statement.kind, id: statementId(scope, id, month) });
        const frozen = (document?.state as StatementState | undefined)?.frozen ?? null;
        if (frozen === null) {
          if (due.impressions > 0) violations.add('past months are frozen', `${scope} ${id} has none of ${month}`);
          continue;
        }
        const fees = terms.fees(scope, id, toMs, frozen.finalizedAtMs);
        if (!fees.includes(frozen.feePpm)) {
          violations.add('statements are the model', `${scope} ${id} ${month}: fee ${frozen.feePpm}, not ${fees}`);
        }
        const invalid = JSON.stringify(booked.invalidCounts(own));
        if (JSON.stringify(frozen.invalid ?? {}) !== invalid) {
          violations.add('statements are the model', `${scope} ${id} ${month}: invalid traffic is not ${invalid}`);
        }
        const differing = differences(frozen, scope, frozen.feePpm, due, late);
        if (differing !== '') violations.add('statements are the model', `${scope} ${id} ${month}: ${differing}`);
      }
    }
  }
}

function differences(
  frozen: FrozenStatement,
  scope: 'publisher' | 'dsp',
  feePpm: number,
  due: ModelSum,
  late: ModelSum,
): string {
  const gross = divideHalfEven(due.grossNanos, NANOS_PER_CENT);
  const total =
    scope === 'publisher'
      ? divideHalfEven(due.grossNanos - due.feeNanos, NANOS_PER_CENT)
      : divideHalfEven(due.grossNanos * BigInt(1_000_000 + feePpm), NANOS_PER_CENT * 1_000_000n);
  const pairs = [
    ['impressions', frozen.impressions, due.impressions],
    ['gross', frozen.grossNanos, due.grossNanos],
    ['late impressions', frozen.lateImpressions, late.impressions],
    ['late gross', frozen.lateGrossNanos, late.grossNanos],
    ['gross in cents', frozen.grossCents, gross],
    ['due in cents', frozen.dueCents, total],
    ['fee in cents', frozen.feeCents, scope === 'publisher' ? gross - total : total - gross],
  ] as const;
  return pairs
    .filter(([, found, expected]) => String(found) !== String(expected))
    .map(([name, found, expected]) => `${name} ${found}, not ${expected}`)
    .join('; ');
}

/**
 * What was sold on a UTC day, by the edges' clocks, and billed whenever, comes to no more than that day's budget: the
 * highest, where it was changed. Edges' clocks are off, so a change shortly before a day or after it counts as one of
 * that day.
 */
export function checkBudgets(
  model: MoneyModel,
  { market, terms }: { market: Market; terms: FeesAndBudgets },
  soldNanos: ReadonlyMap<string, bigint>,
  corners: CornerCaseCounts,
  violations: Violations,
): void {
  for (const id of market.dsps.keys()) {
    const spent = new Map<string, bigint>();
    for (const { impression } of model.billable.values()) {
      if (impression.dsp !== id) continue;
      const day = utcDay(impression.soldAtMs!);
      spent.set(day, (spent.get(day) ?? 0n) + BigInt(impression.priceCpmMicros));
    }
    for (const [day, nanos] of spent) {
      const dayMs = Date.parse(`${day}T00:00:00Z`);
      const limits = terms.budgets(id, dayMs - CLOCKS_DIFFER_MS, dayMs + DAY_MS + CLOCKS_DIFFER_MS);
      if (limits.includes(0)) continue;
      const limitNanos = BigInt(Math.max(...limits)) * NANOS_PER_CENT;
      if (nanos * 10n > limitNanos * 9n) corners.count('nine tenths of a budget are spent on a day');
      const sold = soldNanos.get(`${id} ${day}`) ?? 0n;
      if (sold * 10n > limitNanos * 9n) corners.count('nine tenths of a budget are sold on a day');
      if (sold > limitNanos) corners.count('what was sold and never shown is sold again');
      if (limits.length > 1) corners.count('a budget is changed on a day of trade');
      if (nanos > BigInt(Math.min(...limits)) * NANOS_PER_CENT) corners.count('a raised budget is spent');
      if (nanos > limitNanos) violations.add('budgets are kept', `${id} spent ${nanos} of ${limitNanos} on ${day}`);
    }
  }
}

/** `npm run audit` finds nothing either. */
export async function checkAudit(store: StoreServer, violations: Violations): Promise<void> {
  const { differences: found } = await auditBooks(
    {
      load: async (keys) => keys.map((key) => store.load(key)),
      async *scan(kind) {
        yield* store.all(kind);
      },
      find: async (kind, query) => store.query(kind, query).documents,
      deadLetters: async ({ limit, after = '' }) => store.deadLetters(limit, after),
    },
    { fromMs: 0, toMs: Date.UTC(2100, 0) },
  );
  for (const { check, where, expected, found: was } of found) {
    violations.add('the audit finds nothing', `${check}, ${where}: ${was}, not ${expected}`);
  }
}

import { GRAINS } from '#actors/ledger/grain';
import { ledger } from '#actors/ledger/ledger';
import { assembleDays, readLedgerPages, readLedgers } from '#actors/ledger/read-ledgers';
import { sumByTime } from '#actors/ledger/report/sum-ledgers';
import { canonicalLedgerText } from '#actors/statement/canonical-text';
import { type StatementState, statement } from '#actors/statement/statement';
import { mapLimit } from '#async/map-limit';
import type { StateStore } from '#runtime/ports/store';
import { auditBooks } from '#scheduler/audit/audit-books';
import type { MonthEndMarket } from './market.ts';
import type { ModelOwner, ModelSum, StatementModel } from './model.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const AT_ONCE = 200;
/** Minutes are read of one owner in so many. */
const MINUTES_OF_ONE_IN = 100;
/** Owners are compared in parts, so many parts at once. */
const PARTS_AT_ONCE = 4;
const NANOS_PER_CENT = 10_000_000n;
/** Differences that are told in words; the others are counted. */
const TOLD = 20;

/** What a comparison with the model came to. */
export interface Verified {
  readonly ledgers: number;
  readonly minutesOf: number;
  readonly hours: number;
  readonly statements: number;
  readonly audited: string;
  readonly billed: number;
  readonly lost: number;
  readonly doubled: number;
  readonly wrong: readonly string[];
}

/** Everything that is not as it must be: the first of it in words. */
class Differences {
  readonly told: string[] = [];
  count = 0;

  add(what: string): void {
    this.count += 1;
    if (this.count <= TOLD) this.told.push(what);
  }

  get wrong(): string[] {
    return this.count > TOLD ? [...this.told, `and ${this.count - TOLD} more`] : this.told;
  }
}

/**
 * Compares all books, filed hours and statements of the month that ended at `turnMs` with the model, and audits. The
 * last hour of that month and the first of the next must be filed.
 */
export async function verify(
  store: StateStore,
  { model, market, turnMs }: { model: StatementModel; market: MonthEndMarket; turnMs: number },
): Promise<Verified> {
  const differences = new Differences();
  const days = [turnMs - DAY_MS, turnMs].map((ms) => new Date(ms).toISOString().slice(0, 10)) as [string, string];
  const { owners } = model;
  const bill = { billed: 0, lost: 0, doubled: 0 };
  let minutesOf = 0;
  const parts = Array.from({ length: Math.ceil(owners.length / AT_ONCE) }, (_, part) => part * AT_ONCE);
  await mapLimit(parts, PARTS_AT_ONCE, async (start) => {
    const some = owners.slice(start, start + AT_ONCE);
    await compareLedgers(store, some, { model, days, turnMs, bill }, differences);
    await compareFiledHours(store, some, days, differences);
    const sampled = some.filter((_, index) => (start + index) % MINUTES_OF_ONE_IN === 0);
    for (const owner of sampled) await compareMinutes(store, owner, { model, days, turnMs }, differences);
    minutesOf += sampled.length;
  });
  const statements = await compareStatements(store, { model, market, day: days[0] }, differences);
  const {
    differences: found,
    ledgers: audited,
    statements: auditedStatements,
  } = await auditBooks(store, {
    fromMs: 0,
    toMs: turnMs + HOUR_MS,
  });
  for (const { check, where, expected, found: has } of found) {
    differences.add(`audit: ${check}, ${where}: ${has}, not ${expected}`);
  }
  return {
    ...{ ledgers: owners.length * days.length, minutesOf, hours: owners.length * days.length, statements, ...bill },
    audited: `${audited} ledgers of days and ${auditedStatements} statements, ${found.length} differences`,
    wrong: differences.wrong,
  };
}

interface ComparedDays {
  readonly model: StatementModel;
  readonly days: readonly [string, string];
  readonly turnMs: number;
}

/** The money of both hours by region, counterparty and budget window. */
async function compareLedgers(
  store: StateStore,
  owners: readonly ModelOwner[],
  { model, days, turnMs, bill }: ComparedDays & { bill: { billed: number; lost: number; doubled: number } },
  differences: Differences,
): Promise<void> {
  const stretches = owners.map(({ scope, id }) => ({
    owner: { scope, id, sandbox: false },
    fromMs: turnMs - HOUR_MS,
    toMs: turnMs + HOUR_MS,
  }));
  const byId = new Map(
    assembleDays(await readLedgers(store, stretches, ['hours', 'slots'])).map((one) => [one.id, one]),
  );
  for (const owner of owners) {
    for (const day of days) {
      const id = `${owner.scope}:${owner.id}:${day}`;
      const held = byId.get(id);
      const [found, expected] = [canonicalLedgerText(held ? [held] : []), model.text(owner, day)];
      if (found !== expected) differences.add(`${id} has ${found}, not ${expected}`);
      if (owner.scope !== 'publisher') continue;
      const pages = Object.values(held?.state.hours ?? {}).flatMap((page) => Object.values(page));
      const billed = pages.reduce((sum, { impressions }) => sum + impressions, 0);
      const due = model.sum(owner, day).impressions;
      bill.billed += billed;
      bill.lost += Math.max(0, due - billed);
      bill.doubled += Math.max(0, billed - due);
    }
  }
}

/** Each day has received one hour: the last of the month, and the first of the next. */
async function compareFiledHours(
  store: StateStore,
  owners: readonly ModelOwner[],
  [last, first]: ComparedDays['days'],
  differences: Differences,
): Promise<void> {
  const expected = owners.flatMap(({ scope, id }) => [
    { id: `${scope}:${id}:${last}`, filed: 1 << 23 },
    { id: `${scope}:${id}:${first}`, filed: 1 },
  ]);
  const documents = await store.load(
    expected.map(({ id }) => ({ kind: ledger.kind, id })),
    ['filed'],
  );
  for (const [index, { id, filed }] of expected.entries()) {
    const has = (documents[index]?.state as { filed?: number } | undefined)?.filed ?? 0;
    if (has !== filed) differences.add(`${id} has received the hours ${has.toString(2)}, not ${filed.toString(2)}`);
  }
}

async function compareMinutes(
  store: StateStore,
  owner: ModelOwner,
  { model, days, turnMs }: ComparedDays,
  differences: Differences,
): Promise<void> {
  const grain = GRAINS.find(({ name }) => name === 'minutes')!;
  const window = { grain, fromMs: turnMs - HOUR_MS, toMs: turnMs + HOUR_MS };
  const of = { scope: owner.scope, id: owner.id, sandbox: false };
  const found = sumByTime(await readLedgerPages(store, [of], window), window, MINUTE_MS);
  const expected = new Map(days.flatMap((day) => [...model.minutes(owner, day)]));
  for (const [startMs, { impressions }] of found) {
    const due = expected.get(startMs) ?? 0;
    if (impressions === due) continue;
    const minute = new Date(startMs).toISOString();
    differences.add(`${owner.scope} ${owner.id} has ${impressions} impressions of ${minute}, not ${due}`);
  }
}

async function compareStatements(
  store: StateStore,
  { model, market, day }: { model: StatementModel; market: MonthEndMarket; day: string },
  differences: Differences,
): Promise<number> {
  const sources: ModelOwner[] = [
    ...market.sellers.map(({ id }): ModelOwner => ({ scope: 'publisher', id })),
    ...market.buyers.map(({ id }): ModelOwner => ({ scope: 'dsp', id })),
  ];
  const month = day.slice(0, 7);
  for (let start = 0; start < sources.length; start += AT_ONCE) {
    const some = sources.slice(start, start + AT_ONCE);
    const documents = await store.load(
      some.map(({ scope, id }) => ({ kind: statement.kind, id: `${scope}:${id}:${month}` })),
    );
    for (const [index, owner] of some.entries()) {
      const id = `${owner.scope}:${owner.id}:${month}`;
      const frozen = (documents[index]?.state as StatementState | undefined)?.frozen ?? null;
      if (frozen === null) {
        differences.add(`the statement ${id} is not frozen`);
        continue;
      }
      const sum = model.sum(owner, day);
      const expected = {
        ...{ month, impressions: sum.impressions, grossNanos: `${sum.gross}`, lateImpressions: 0, lateGrossNanos: '0' },
        ...{ ...centsOf(owner, sum, market), ledgers: 1, pagesSha256: model.hash(owner, day) },
      };
      for (const [name, value] of Object.entries(expected)) {
        const has = frozen[name as keyof typeof frozen];
        if (has !== value) differences.add(`the statement ${id} has ${name} ${has}, not ${value}`);
      }
    }
  }
  return sources.length;
}

/** Gross and due are rounded once, half to even; the fee is what lies between. */
function centsOf({ scope }: ModelOwner, { gross, fee }: ModelSum, market: MonthEndMarket) {
  const grossCents = cents(gross, NANOS_PER_CENT);
  if (scope === 'publisher') {
    const dueCents = cents(gross - fee, NANOS_PER_CENT);
    return { grossCents, feeCents: grossCents - dueCents, dueCents };
  }
  const dueCents = cents(gross * BigInt(1_000_000 + market.feePpm('dsp')), NANOS_PER_CENT * 1_000_000n);
  return { grossCents, feeCents: dueCents - grossCents, dueCents };
}

function cents(nanos: bigint, divisor: bigint): number {
  const [floor, rest] = [nanos / divisor, nanos % divisor];
  const isUp = 2n * rest > divisor || (2n * rest === divisor && floor % 2n === 1n);
  return Number(isUp ? floor + 1n : floor);
}

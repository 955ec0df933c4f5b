import { expect } from 'chai';
import fc from 'fast-check';
import { GRAINS } from '#actors/ledger/grain';
import { ledger } from '#actors/ledger/ledger';
import { dayLedgerId, hourLedgerId, hourOfLedger } from '#actors/ledger/ledger-id';
import type { ClosedHour, FactCounts, MinuteBatch, Totals } from '#actors/ledger/messages';
import { assembleDays, type LedgerReads, readLedgerPages, readLeftMinutes } from '#actors/ledger/read-ledgers';
import { countOf, type LedgerSum } from '#actors/ledger/report/ledger-sum';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import type { LedgerState } from '#actors/ledger/state';
import { ledgerAtRest } from '#actors/ledger/stored-ledger';
import { ledgerMinutes } from '#actors/ledger-minutes/ledger-minutes';
import type { LedgerMinutesState } from '#actors/ledger-minutes/state';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SLOT_MS = 5 * MINUTE_MS;
const DAY = Date.parse('2026-03-14T00:00:00Z');
const DAY_ID = 'campaign:c:2026-03-14';
const OWNER = { scope: 'campaign', id: 'c', sandbox: false } as const;
/** So few that a ledger of a day keeps the minutes of all of them. */
const FIRST_HOUR = 10;
const HOURS = 4;
const PARTITIONS = 3;
/** Its day was begun by a release that booked by the day, as were the facts of the edge that is `older`. */
const OLDER_PARTITION = 0;
const PRICE = 2_500_000;
const COUNTERPARTIES = ['p', 'q', 'r'];

type Action =
  | { readonly type: 'totals'; readonly partition: number; readonly minutes: number; readonly whose: number }
  | { readonly type: 'echo'; readonly nth: number }
  | { readonly type: 'facts'; readonly minute: number; readonly bids: number; readonly older: boolean }
  | { readonly type: 'close'; readonly hour: number }
  | { readonly type: 'publish'; readonly hour: number };

const hour = fc.integer({ min: FIRST_HOUR, max: FIRST_HOUR + HOURS - 1 });
const minute = fc.integer({ min: 0, max: HOURS * 60 - 1 });
const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        type: fc.constant('totals' as const),
        partition: fc.integer({ min: 0, max: PARTITIONS - 1 }),
        minutes: fc.constantFrom(0, 0, 1, 2, 7, 45),
        whose: fc.integer({ min: 0, max: COUNTERPARTIES.length - 1 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('echo' as const), nth: fc.nat() }) },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constant('facts' as const),
        minute,
        bids: fc.integer({ min: 1, max: 9 }),
        older: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('close' as const), hour }) },
    { weight: 4, arbitrary: fc.record({ type: fc.constant('publish' as const), hour }) },
  ),
  { minLength: 1, maxLength: 80, size: 'max' },
);

interface Told {
  readonly id: string;
  readonly body: Totals;
}

/** What ledgers must say: what they have taken, minute by minute. */
interface Figures {
  impressions: number;
  bids: number;
  readonly rows: Map<string, number>;
  readonly slots: Map<number, number>;
  readonly unleased: Map<number, number>;
}

function noFigures(): Figures {
  return { impressions: 0, bids: 0, rows: new Map(), slots: new Map(), unleased: new Map() };
}

function add<K>(to: Map<K, number>, key: K, more: number): void {
  to.set(key, (to.get(key) ?? 0) + more);
}

/** Ledgers under random messages, beside a model that knows nothing of hours and days. */
class Run implements LedgerReads {
  readonly states = new Map<string, LedgerState>();
  readonly minutes = new Map<string, LedgerMinutesState>();
  readonly #told: Told[] = [];
  /** What each partition sold in its minute so far, by counterparty. */
  readonly #partitions = Array.from({ length: PARTITIONS }, () => ({ minute: 0, sold: new Map<string, number>() }));
  /** What the ledgers have taken of a partition's minute last. */
  readonly #taken = new Map<string, Totals>();
  readonly #facts: FactCounts[] = [];
  readonly #closed = new Set<string>();
  #position = 0;
  /** Log time: the newest minute that any partition has told. */
  #nowMs = DAY;

  take(action: Action): void {
    if (action.type === 'totals') this.#sell(action.partition, action.minutes, COUNTERPARTIES[action.whose]!);
    else if (action.type === 'echo') this.#echo(action.nth);
    else if (action.type === 'facts') this.#count(action);
    else if (action.type === 'close') this.close(action.hour);
    else this.publish(action.hour);
  }

  /** Another impression of a partition, `minutes` after its last; its minute is told whole. */
  #sell(partition: number, minutes: number, counterparty: string): void {
    const at = this.#partitions[partition]!;
    const later = Math.min(at.minute + minutes, HOURS * 60 - 1);
    if (later > at.minute) {
      at.minute = later;
      at.sold = new Map();
    }
    add(at.sold, counterparty, 1);
    const minuteMs = minuteMsOf(at.minute);
    const sumOf = (impressions: number) => ({ impressions, grossNanos: impressions * PRICE, feeNanos: impressions });
    const counterparties = [...at.sold].map(([id, impressions]) => ({ id, ...sumOf(impressions) }));
    const sum = sumOf([...at.sold.values()].reduce((a, b) => a + b, 0));
    // Sold in the window before: at the full hour it is one of another hour.
    const slotMs = minuteMs - (minuteMs % SLOT_MS) - SLOT_MS;
    const body: Totals = {
      ...{ partition, minuteMs, version: this.#next() },
      slots: [{ slotMs, impressions: sum.impressions, grossNanos: sum.grossNanos }],
      regions: [{ region: 'fra', ...sum, counterparties, creatives: [] }],
    };
    const id = partition === OLDER_PARTITION ? DAY_ID : hourLedgerId('campaign', 'c', minuteMs, false);
    if (this.#closed.has(id)) {
      this.#isRefused(id, 'totals', body);
      return;
    }
    this.#tell(id, 'totals', body);
    this.#told.push({ id, body });
    this.#taken.set(`${partition} ${minuteMs}`, body);
  }

  /** A repetition changes nothing, whether the ledger is closed or not. */
  #echo(nth: number): void {
    const told = this.#told[nth % Math.max(1, this.#told.length)];
    if (told === undefined) return;
    const before = stored(this.states.get(told.id)!);
    this.#tell(told.id, 'totals', told.body);
    expect(this.states.get(told.id)).to.deep.equal(before);
  }

  #count({ minute: at, bids, older }: Action & { readonly type: 'facts' }): void {
    const minuteMs = minuteMsOf(at);
    const unleased = [{ slotMs: minuteMs - (minuteMs % SLOT_MS), nanos: bids * PRICE }];
    const named = { counterparties: [], creatives: [], latency: {} };
    const facts: FactCounts = { minuteMs, region: 'nyc', counts: { bids }, ...named, unleased };
    const id = older ? DAY_ID : hourLedgerId('campaign', 'c', minuteMs, false);
    if (this.#closed.has(id)) {
      this.#isRefused(id, 'facts', facts);
      return;
    }
    this.#tell(id, 'facts', facts);
    this.#facts.push(facts);
  }

  close(ofDay: number): void {
    const id = hourId(ofDay);
    this.#closed.add(id);
    this.#tell(id, 'close', {});
  }

  /** What a closed hour tells its day, as often as it is asked to. */
  publish(ofDay: number): void {
    const id = hourId(ofDay);
    const state = this.states.get(id);
    if (state === undefined) return;
    for (const { to, type, body } of ledger.totals!(state, null, id)) {
      if (type === 'minutes') {
        this.#tellMinutes(to, body as MinuteBatch);
        continue;
      }
      expect([to, type]).to.deep.equal([`ledger/${DAY_ID}`, 'hour']);
      this.#tell(DAY_ID, 'hour', body as ClosedHour);
    }
  }

  /** What the ledgers have taken between two instants. */
  expected(fromMs: number, toMs: number): Figures {
    const figures = noFigures();
    const isWithin = ({ minuteMs }: { readonly minuteMs: number }) => minuteMs >= fromMs && minuteMs < toMs;
    for (const { regions, slots = [] } of [...this.#taken.values()].filter(isWithin)) {
      figures.impressions += regions[0]!.impressions;
      for (const { id, impressions } of regions[0]!.counterparties) add(figures.rows, id, impressions);
      for (const { slotMs, impressions } of slots) add(figures.slots, slotMs, impressions);
    }
    for (const { counts, unleased = [] } of this.#facts.filter(isWithin)) {
      figures.bids += counts.bids!;
      for (const { slotMs, nanos } of unleased) add(figures.unleased, slotMs, nanos);
    }
    return figures;
  }

  async load(keys: readonly { readonly kind: string; readonly id: string }[], fields?: readonly string[]) {
    return keys.map(({ kind, id }) => {
      const left = kind === ledgerMinutes.kind ? this.minutes.get(id) : undefined;
      if (left !== undefined) return { id, deleted: false, state: left };
      const held = kind === ledger.kind ? this.states.get(id) : undefined;
      // As it comes back from the store.
      const state = held && (ledgerAtRest.pack(held) as object);
      if (state === undefined) return null;
      const wanted = Object.entries(structuredClone(state)).filter(([name]) => fields?.includes(name) ?? true);
      return { id, deleted: false, state: Object.fromEntries(wanted) };
    });
  }

  #isRefused(id: string, type: 'totals' | 'facts', body: unknown): void {
    const before = stored(this.states.get(id) ?? ledger.initial(id));
    expect(() => this.#tell(id, type, body)).to.throw(/is closed: its day has its figures/);
    expect(this.states.get(id)).to.deep.equal(before);
  }

  #tell(id: string, type: 'totals' | 'facts' | 'close' | 'hour', body: unknown): void {
    // As it comes back from the store.
    const state = stored(this.states.get(id) ?? ledger.initial(id));
    this.states.set(id, state);
    if (type === 'totals') this.#nowMs = Math.max(this.#nowMs, (body as Totals).minuteMs);
    const context = { id, address: `ledger/${id}`, nowMs: this.#nowMs, position: this.#next(), random: () => 0 };
    ledger.handle(state, { type, body: structuredClone(body) } as Parameters<typeof ledger.handle>[1], context);
  }

  #tellMinutes(to: string, body: MinuteBatch): void {
    const id = to.slice(`${ledgerMinutes.kind}/`.length);
    const state = structuredClone(this.minutes.get(id) ?? ledgerMinutes.initial(id));
    this.minutes.set(id, state);
    const context = { id, address: to, nowMs: this.#nowMs, position: this.#next(), random: () => 0 };
    ledgerMinutes.handle(state, { type: 'minutes', body: structuredClone(body) }, context);
  }

  #next(): string {
    this.#position += 1;
    return `${this.#position}-0`;
  }
}

function stored(state: LedgerState): LedgerState {
  return ledgerAtRest.unpack(structuredClone(ledgerAtRest.pack(state)));
}

function hourId(ofDay: number): string {
  return hourLedgerId('campaign', 'c', DAY + ofDay * HOUR_MS, false);
}

function minuteMsOf(minuteOfRun: number): number {
  return DAY + FIRST_HOUR * HOUR_MS + minuteOfRun * MINUTE_MS;
}

function expectSum(sum: LedgerSum, { impressions, bids, rows }: Figures, where: string): void {
  expect(sum.impressions, where).to.equal(impressions);
  expect(sum.grossNanos, where).to.equal(BigInt(impressions) * BigInt(PRICE));
  expect(sum.feeNanos, where).to.equal(BigInt(impressions));
  expect(countOf(sum, 'bids'), where).to.equal(bids);
  const named = [...sum.counterparties].map(([name, row]): [string, number] => [name, row.impressions]);
  expect(new Map(named), where).to.deep.equal(rows);
}

/** Reports of every hour and of the day, at every grain, and the budget windows. */
async function expectAll(run: Run): Promise<void> {
  const day = { fromMs: DAY, toMs: DAY + DAY_MS };
  const hours = Array.from({ length: HOURS }, (_, index) => {
    const fromMs = DAY + (FIRST_HOUR + index) * HOUR_MS;
    return { fromMs, toMs: fromMs + HOUR_MS };
  });
  for (const grain of GRAINS) {
    for (const window of grain.name === 'days' ? [day] : [day, ...hours]) {
      const { fromMs, toMs } = window;
      const ledgers = await readLedgerPages(run, [OWNER], { grain, ...window });
      const where = `${grain.name} from ${new Date(fromMs).toISOString()}`;
      expectSum(sumLedgers(ledgers, { grain, ...window }), run.expected(fromMs, toMs), where);
    }
  }
  const parts = [...run.states].map(([id, state]) => ({ id, state }));
  const left = await readLeftMinutes(run, ledgerMinutes.kind, [...run.states.keys()], parts);
  const assembled = assembleDays([...parts, ...left]);
  expect(assembled.map(({ id }) => id)).to.deep.equal(run.states.size === 0 ? [] : [DAY_ID]);
  const expected = run.expected(day.fromMs, day.toMs);
  for (const grain of GRAINS)
    expectSum(sumLedgers(assembled, { grain, ...day }), expected, `assembled, by ${grain.name}`);
  const { slots = {}, unleased = {} } = assembled[0]?.state ?? {};
  const sold = Object.entries(slots).filter(([, { impressions }]) => impressions > 0);
  expect(new Map(sold.map(([slotMs, { impressions }]) => [Number(slotMs), impressions]))).to.deep.equal(expected.slots);
  const apart = Object.entries(unleased).map(([slotMs, nanos]): [number, number] => [Number(slotMs), nanos]);
  expect(new Map(apart)).to.deep.equal(expected.unleased);
}

describe('ledgers of hours, closed and filed in any order', () => {
  it('say with their day what was booked, once, beside what an earlier release books in the day', async () => {
    const seen = { filed: 0, open: 0, mixed: 0, left: 0, inParts: 0 };
    await fc.assert(
      fc.asyncProperty(actions, async (drawn) => {
        const run = new Run();
        for (const action of drawn) run.take(action);
        await expectAll(run);
        const filed = run.states.get(DAY_ID)?.filed ?? 0;
        if (filed > 0) seen.filed += 1;
        if ([...run.states].some(([id, { closedAt }]) => hourOfLedger(id) !== null && closedAt === undefined))
          seen.open += 1;
        if ([...run.states.values()].some(({ batches = 0 }) => batches > 0)) seen.left += 1;
        if (
          [...run.states.values()].some(
            ({ leftThrough = 0, minutes }) => Number(Object.keys(minutes)[0] ?? leftThrough) < leftThrough,
          )
        )
          seen.inParts += 1;
        if (filed > 0 && Object.keys(run.states.get(DAY_ID)!.open).length > 0) seen.mixed += 1;

        // When all is filed, the day alone says it, whatever became of its hours.
        for (let index = 0; index < HOURS; index++) {
          run.close(FIRST_HOUR + index);
          run.publish(FIRST_HOUR + index);
        }
        await expectAll(run);
        const alone = { id: DAY_ID, state: run.states.get(dayLedgerId(hourId(FIRST_HOUR)))! };
        const day = { fromMs: DAY, toMs: DAY + DAY_MS };
        for (const grain of GRAINS.filter(({ name }) => name !== 'minutes'))
          expectSum(
            sumLedgers([alone], { grain, ...day }),
            run.expected(DAY, DAY + DAY_MS),
            `the day by ${grain.name}`,
          );
      }),
      { numRuns: 150 },
    );
    for (const [what, times] of Object.entries(seen)) expect(times, what).to.be.above(0);
  });
});

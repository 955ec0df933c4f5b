import type { ParkedSpend } from '../../actors/budget/parked-spend.ts';
import { type LedgerIdParts, parseLedgerId } from '../../actors/ledger/ledger-id.ts';
import { monthOf } from '../../actors/ledger/report/month.ts';
import type { StatementScope } from '../../actors/statement/statement-id.ts';
import type { DeadLetter, StateStore } from '../../runtime/ports/store.ts';

/**
 * A message that moves money and that no reducer could handle: its money is in no books, or in those of one side alone.
 */
export interface ParkedMoney {
  /** The id of the dead letter. */
  readonly deadLetterId: string;
  /** The month whose books lack the money, `yyyy-mm`. */
  readonly month: string;
  /** The sources whose books lack the money, as `<scope>:<id>`; null when this is unknown: it may be any source. */
  readonly of: ReadonlySet<string> | null;
  /** A description for people. */
  readonly what: string;
}

/** A message that an operator has discarded: its money is missing in all books, or on one side, finally. */
export interface DiscardedMoney extends ParkedMoney {
  /** The decision for people: which message, when, by whom and why. */
  readonly decision: string;
  /** What is lacking, for people: `an impression`, `hour 13 of publisher p`. */
  readonly lacking: string;
  /** The ledger that lacks totals, of an hour where one is lacking; null for an impression, which all ledgers lack. */
  readonly ledger: LedgerIdParts | null;
  /** The most that the message would have moved. */
  readonly grossNanos: bigint;
  /**
   * The part of it that was reported as invalid traffic, billed later or not: such traffic is counted and never
   * charged.
   */
  readonly invalidNanos: bigint;
}

/** A parked message of live money that was not discarded. */
export interface UndecidedMoney extends MovedMoney {
  /** Whether it has totals of a ledger. */
  readonly isTotals: boolean;
  readonly replayedAtMs: number | null;
}

const PAGE = 500;
/** The clocks of processes differ from the log's clock by less than this many ms. */
const CLOCKS_DIFFER_MS = 60_000;
/** No impression comes longer than this after its sale, ms: a region may bring it 8 days later. */
const SOLD_BEFORE_MS = 10 * 86_400_000;

/**
 * The parked messages that move money. A replayed message no longer counts once the books are complete past its replay
 * (`throughMs`): until then it may be on its way.
 */
export async function parkedMoney(
  store: Pick<StateStore, 'deadLetters'>,
  throughMs: number,
): Promise<readonly ParkedMoney[]> {
  return (await undecidedMoney(store)).filter((money) => !isCovered(money, throughMs));
}

/**
 * The parked messages that move money and that no operator has discarded, also those that were replayed. Not those of
 * the sandbox, whose trades are on no statement.
 */
export async function undecidedMoney(store: Pick<StateStore, 'deadLetters'>): Promise<readonly UndecidedMoney[]> {
  const undecided: UndecidedMoney[] = [];
  for await (const deadLetter of readDeadLetters(store)) {
    const money = deadLetter.discarded === undefined ? moneyIn(deadLetter) : null;
    if (money === null || money.ledger?.sandbox === true) continue;
    const { type, replayedAtMs } = deadLetter;
    undecided.push({ ...money, isTotals: type === 'totals', replayedAtMs });
  }
  return undecided;
}

/**
 * What parked messages may yet move of budgets: impressions, and totals of ledgers, of which it is not known what the
 * ledger lacks. `throughMs`: the time through which ledgers are complete.
 */
export function parkedSpendOf(undecided: readonly UndecidedMoney[], throughMs: number): ParkedSpend[] {
  const spends = new Map<string, ParkedSpend>();
  for (const money of undecided) {
    const { deadLetterId, impressionId, of, sales, isTotals, replayedAtMs } = money;
    if (isCovered(money, throughMs) || (!isTotals && sales.length === 0)) continue;
    // An impression that was parked again by its replay is one impression.
    const key = impressionId ?? deadLetterId;
    const { mayBeBooked: before = false, notReplayed: others = [] } = spends.get(key) ?? {};
    const mayBeBooked = isTotals || replayedAtMs !== null || before;
    const notReplayed = replayedAtMs === null ? [...others, deadLetterId] : others;
    spends.set(key, { of, mayBeBooked, notReplayed, sales });
  }
  return [...spends.values()];
}

/** Whether a message was replayed, and the books are complete past its replay. */
function isCovered({ replayedAtMs }: Pick<DeadLetter, 'replayedAtMs'>, throughMs: number): boolean {
  return replayedAtMs !== null && replayedAtMs + CLOCKS_DIFFER_MS < throughMs;
}

/** The discarded messages that move money, those of the sandbox too. */
export async function discardedMoney(store: Pick<StateStore, 'deadLetters'>): Promise<readonly DiscardedMoney[]> {
  const gone: DiscardedMoney[] = [];
  for await (const deadLetter of readDeadLetters(store)) {
    const { id, discarded } = deadLetter;
    const money = discarded === undefined ? null : moneyIn(deadLetter);
    if (discarded === undefined || money === null) continue;
    const { atMs, by, why } = discarded;
    const decision = `dead letter ${id} was discarded on ${new Date(atMs).toISOString()} by ${by}: ${why}`;
    gone.push({ ...money, decision });
  }
  return gone;
}

/** A message of money that was ever parked, whatever became of it. */
export interface MoneyDeadLetter extends Omit<DiscardedMoney, 'decision'> {
  /** The instant at which the message was replayed or discarded; null while it waits. */
  readonly decidedAtMs: number | null;
}

/** All messages of money that were ever parked. */
export async function moneyDeadLetters(store: Pick<StateStore, 'deadLetters'>): Promise<readonly MoneyDeadLetter[]> {
  const deadLetters: MoneyDeadLetter[] = [];
  for await (const deadLetter of readDeadLetters(store)) {
    const money = moneyIn(deadLetter);
    if (money !== null)
      deadLetters.push({ ...money, decidedAtMs: deadLetter.discarded?.atMs ?? deadLetter.replayedAtMs });
  }
  return deadLetters;
}

/** All messages that were ever parked, whatever became of them. */
export async function* readDeadLetters(store: Pick<StateStore, 'deadLetters'>): AsyncGenerator<DeadLetter> {
  for (let after = ''; ; ) {
    const deadLetters = await store.deadLetters({ limit: PAGE, ...(after === '' ? {} : { after }) });
    yield* deadLetters;
    const last = deadLetters.at(-1);
    if (last === undefined || deadLetters.length < PAGE) return;
    after = last.id;
  }
}

/** The reason why this statement is held open, for people; null when there is none. */
export function statementBlocker(
  parked: readonly ParkedMoney[],
  { scope, id }: { readonly scope: StatementScope; readonly id: string },
  month: string,
): string | null {
  const holding = parked.filter((one) => one.month === month && (one.of === null || one.of.has(`${scope}:${id}`)));
  const [first] = holding;
  if (first === undefined) return null;
  const more = holding.length > 1 ? ` and ${holding.length - 1} more` : '';
  return `${first.what}${more}, to be replayed or discarded`;
}

/** What a message would move, and what of it budgets would pay. */
type MovedMoney = Omit<DiscardedMoney, 'decision'> & Pick<ParkedSpend, 'sales'> & { readonly impressionId?: string };

function moneyIn(deadLetter: DeadLetter): MovedMoney | null {
  const slash = deadLetter.to.indexOf('/');
  const [kind, id] = [deadLetter.to.slice(0, slash), deadLetter.to.slice(slash + 1)];
  const deadLetterId = deadLetter.id;
  const body = bodyOf(deadLetter.payload);
  if (kind === 'tally') {
    const atMs = Number(deadLetter.position.slice(0, deadLetter.position.indexOf('-')));
    // Statements count invalid traffic: a statement waits for it as for billed impressions.
    const isInvalid = deadLetter.type === 'invalid';
    const lacking = `an ${isInvalid ? 'invalid ' : ''}impression`;
    const what = `${lacking} is parked as dead letter ${deadLetterId}`;
    const nanos = nanosIn(body.priceCpmMicros);
    const moved = isInvalid ? { grossNanos: 0n, invalidNanos: nanos } : { grossNanos: nanos, invalidNanos: 0n };
    const sales = isInvalid ? [] : [{ soldAtMs: soldAtOf(body, atMs), grossNanos: Number(nanos) }];
    const of = sidesOf(body);
    const named = typeof body.id === 'string' ? { impressionId: body.id } : {};
    return { deadLetterId, month: monthOf(atMs), of, what, lacking, ledger: null, ...moved, sales, ...named };
  }
  if (kind !== 'ledger') return null;
  const name = parseLedgerId(id);
  const { scope, whose, day } = name;
  const owner = `${scope} ${whose}`;
  const parked = { deadLetterId, month: day.slice(0, 7), of: new Set([`${scope}:${whose}`]) };
  switch (deadLetter.type) {
    case 'totals': {
      const what = `totals of ${deadLetter.to} are parked as dead letter ${deadLetterId}`;
      const lacking = `totals of ${owner}`;
      const moved = movedBy(Array.isArray(body.regions) ? body.regions : []);
      return { ...parked, what, lacking, ledger: name, ...moved, sales: [] };
    }
    // The money of an hour that is over is in its own ledger, until its day has it: then that ledger is deleted.
    case 'hour': {
      const hour = Number.isInteger(body.hour) ? (body.hour as number) : 0;
      const what = `hour ${hour} of ${deadLetter.to} is parked as dead letter ${deadLetterId}`;
      const lacking = `hour ${hour} of ${owner}`;
      const moved = movedBy(Object.values(body.page ?? {}));
      return { ...parked, what, lacking, ledger: { ...name, hour }, ...moved, sales: [] };
    }
    case 'close': {
      const what = `the end of ${deadLetter.to} is parked as dead letter ${deadLetterId}`;
      const lacking = `the end of hour ${name.hour} of ${owner}`;
      return { ...parked, what, lacking, ledger: name, grossNanos: 0n, invalidNanos: 0n, sales: [] };
    }
    default:
      return null;
  }
}

/** What the parts of a ledger's regions would move. */
function movedBy(regions: readonly ReadRegion[]): Pick<DiscardedMoney, 'grossNanos' | 'invalidNanos'> {
  const grossNanos = regions.reduce((sum, region) => sum + nanosIn(region?.grossNanos), 0n);
  const invalidNanos = regions.reduce(
    (sum, region) => sum + nanosIn(region?.counts?.invalidNanos) + nanosIn(region?.counts?.revalidatedNanos),
    0n,
  );
  return { grossNanos, invalidNanos };
}

/** When an impression was sold, if it says so and can be right; otherwise when it came, `atMs`. */
function soldAtOf({ soldAtMs }: ReadBody, atMs: number): number {
  if (!Number.isSafeInteger(soldAtMs)) return atMs;
  const sold = soldAtMs as number;
  return sold > atMs - SOLD_BEFORE_MS && sold < atMs + CLOCKS_DIFFER_MS ? sold : atMs;
}

/** The fields of a message that are read, unchecked: one of them may be the reason why it could not be handled. */
interface ReadBody {
  readonly id?: unknown;
  readonly publisher?: unknown;
  readonly dsp?: unknown;
  readonly campaign?: unknown;
  readonly sandbox?: unknown;
  readonly priceCpmMicros?: unknown;
  readonly soldAtMs?: unknown;
  readonly regions?: unknown;
  readonly hour?: unknown;
  readonly page?: Readonly<Record<string, ReadRegion>> | null;
}

interface ReadRegion {
  readonly grossNanos?: unknown;
  readonly counts?: { readonly invalidNanos?: unknown; readonly revalidatedNanos?: unknown };
}

/** The fields of a body; none when it cannot be read. */
export function bodyOf(payload: string): ReadBody {
  try {
    return JSON.parse(payload)[2] ?? {};
  } catch {
    return {};
  }
}

function nanosIn(value: unknown): bigint {
  return Number.isSafeInteger(value) ? BigInt(value as number) : 0n;
}

/** The publisher, demand source and campaign of a parked impression. */
function sidesOf({ publisher, dsp, campaign, sandbox }: ReadBody): ReadonlySet<string> | null {
  if (typeof publisher !== 'string' || typeof dsp !== 'string') return null;
  if (sandbox === true) return new Set();
  const sides = [`publisher:${publisher}`, `dsp:${dsp}`];
  return new Set(typeof campaign === 'string' ? [...sides, `campaign:${campaign}`] : sides);
}

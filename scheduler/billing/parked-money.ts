import { readLedgerId } from '../../actors/ledger/ledger-id.ts';
import { monthOf } from '../../actors/ledger/report/month.ts';
import type { DeadLetter, StateStore } from '../../runtime/ports/store.ts';
import type { StatementSource } from './freeze-statement.ts';

/** A message that moves money and that no reducer could handle: what it says is in no books, or in one side's alone. */
export interface ParkedMoney {
  /** Of the dead letter. */
  readonly letterId: string;
  /** The month whose books lack it, `yyyy-mm`. */
  readonly month: string;
  /** Whose books lack it, as `<scope>:<id>`; null when that cannot be told: anybody's. */
  readonly of: ReadonlySet<string> | null;
  /** For people. */
  readonly what: string;
}

const PAGE = 500;
/** Processes' clocks may differ from the log's by less than this. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * What is parked of the books. A replayed message is not, once the books are complete past its replay (`throughMs`): until
 * then it may be on its way.
 */
export async function parkedMoney(
  store: Pick<StateStore, 'deadLetters'>,
  throughMs: number,
): Promise<readonly ParkedMoney[]> {
  const parked: ParkedMoney[] = [];
  let after = '';
  for (;;) {
    const letters = await store.deadLetters({ limit: PAGE, ...(after === '' ? {} : { after }) });
    for (const letter of letters) {
      const { replayedAtMs } = letter;
      if (replayedAtMs !== null && replayedAtMs + CLOCKS_DIFFER_MS < throughMs) continue;
      const money = moneyIn(letter);
      if (money !== null) parked.push(money);
    }
    const last = letters.at(-1);
    if (last === undefined || letters.length < PAGE) return parked;
    after = last.id;
  }
}

/** What holds this statement open, for people; null when nothing does. */
export function whatHolds(
  parked: readonly ParkedMoney[],
  { scope, id }: Pick<StatementSource, 'scope' | 'id'>,
  month: string,
): string | null {
  const holding = parked.filter((one) => one.month === month && (one.of === null || one.of.has(`${scope}:${id}`)));
  const [first] = holding;
  if (first === undefined) return null;
  const more = holding.length > 1 ? ` and ${holding.length - 1} more` : '';
  return `${first.what}${more}, to be replayed`;
}

function moneyIn(letter: DeadLetter): ParkedMoney | null {
  const slash = letter.to.indexOf('/');
  const [kind, id] = [letter.to.slice(0, slash), letter.to.slice(slash + 1)];
  if (kind === 'tally') {
    const atMs = Number(letter.position.slice(0, letter.position.indexOf('-')));
    const what = `an impression is parked as dead letter ${letter.id}`;
    return { letterId: letter.id, month: monthOf(atMs), of: sidesOf(letter.payload), what };
  }
  if (kind === 'ledger' && letter.type === 'totals') {
    const { scope, whose, day, sandbox } = readLedgerId(id);
    const what = `totals of ${letter.to} are parked as dead letter ${letter.id}`;
    const of = new Set([`${scope}:${whose}`]);
    // What was traded in the sandbox is on no statement.
    return sandbox ? null : { letterId: letter.id, month: day.slice(0, 7), of, what };
  }
  return null;
}

/** Publisher, demand source and campaign of a parked impression. */
function sidesOf(payload: string): ReadonlySet<string> | null {
  try {
    const { publisher, dsp, campaign, sandbox } = JSON.parse(payload)[2];
    if (typeof publisher !== 'string' || typeof dsp !== 'string') return null;
    if (sandbox === true) return new Set();
    const sides = [`publisher:${publisher}`, `dsp:${dsp}`];
    return new Set(typeof campaign === 'string' ? [...sides, `campaign:${campaign}`] : sides);
  } catch {
    return null;
  }
}

import { feedPage } from '#actors/feed-page/feed-page';
import { parsePageId } from '#actors/feed-page/feed-page-id';
import { impressionRollup } from '#actors/impression-rollup/impression-rollup';
import { ledger } from '#actors/ledger/ledger';
import type { DeadLetter, StateReads } from '#runtime/ports/store';
import type { Hour } from './hour.ts';

/** A message that no actor could handle and that belongs in an hour: what it tells is missing somewhere. */
export interface ParkedEvent {
  readonly dead_letter_id: string;
  /** What is missing, and where. */
  readonly what: 'impression' | 'invalid impression' | 'ledger totals' | 'feed rows';
  readonly state: 'waiting' | 'discarded';
}

const PAGE = 500;

/**
 * The parked messages of an hour that were not handled since. A parked impression is billed, and logged, in the hour in
 * which it is replayed.
 */
export async function parkedIn(store: Pick<StateReads, 'deadLetters'>, hour: Hour): Promise<ParkedEvent[]> {
  const parked: ParkedEvent[] = [];
  for (let after = ''; ; ) {
    const letters = await store.deadLetters({ limit: PAGE, ...(after === '' ? {} : { after }) });
    for (const letter of letters) {
      const what = letter.replayedAtMs === null ? missingOf(letter, hour) : null;
      if (what === null) continue;
      parked.push({ dead_letter_id: letter.id, what, state: letter.discarded === undefined ? 'waiting' : 'discarded' });
    }
    const last = letters.at(-1);
    if (last === undefined || letters.length < PAGE) return parked;
    after = last.id;
  }
}

function missingOf({ to, type, position, payload }: DeadLetter, hour: Hour): ParkedEvent['what'] | null {
  const slash = to.indexOf('/');
  const [kind, id] = [to.slice(0, slash), to.slice(slash + 1)];
  const within = (atMs: number) => atMs >= hour.startMs && atMs < hour.endMs;
  if (kind === impressionRollup.kind) {
    if (!within(Number.parseInt(position, 10))) return null;
    return type === 'invalid' ? 'invalid impression' : 'impression';
  }
  if (kind === ledger.kind && type === 'totals') return within(minuteIn(payload)) ? 'ledger totals' : null;
  if (kind === feedPage.kind) return within(stretchOf(id) ?? Number.parseInt(position, 10)) ? 'feed rows' : null;
  return null;
}

/** The minute of totals; none where the message cannot be read. */
function minuteIn(payload: string): number {
  try {
    return Number(JSON.parse(payload)[2]?.minuteMs);
  } catch {
    return Number.NaN;
  }
}

/** The beginning of a page's stretch; null for the address of wins, which names no page. */
function stretchOf(id: string): number | null {
  try {
    return parsePageId(id).startMs;
  } catch {
    return null;
  }
}

import Type, { type Static } from 'typebox';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { Entry, quotaMessages } from './messages.ts';

export type QuotaEntry = Static<typeof Entry>;

export const QuotaState = Type.Object({
  /** When all resources were last counted: ms since the Unix epoch, 0 for never. */
  countedAtMs: Type.Integer({ minimum: 0 }),
  entries: Type.Record(Type.String(), Entry),
  /** The bytes of requests that are under way, or whose end is unknown, by holder and claim. */
  claims: Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer({ minimum: 0 }))),
  /** The number of archived holders. */
  archived: Type.Integer({ minimum: 0 }),
});
export type QuotaState = Static<typeof QuotaState>;

export const emptyQuota: QuotaState = { countedAtMs: 0, entries: {}, claims: {}, archived: 0 };

/** The answer to `take`. */
export type QuotaReply =
  | { readonly taken: true }
  /** No count was made yet, or there is no room by a count that is old: the caller must count and ask again. */
  | { readonly taken: false; readonly because: 'uncounted' }
  | { readonly taken: false; readonly because: 'count' | 'bytes' | 'archived' };

/** An account may have archived this many times its limit. */
export const ARCHIVED_FACTOR = 10;

/** The most holders, whatever operators allow: a quota is one document, and is read whole. At 100 bytes each, 5 MB. */
export const MAX_HOLDERS = 50_000;

export const quotaHandlers = handlersOf(QuotaState, quotaMessages, {
  take: (state, { holder, bytes, ...terms }, { nowMs }) =>
    taken(state, { ...terms, holders: { [holder]: bytes } }, nowMs),
  'take-all': (state, body, { nowMs }) => taken(state, body, nowMs),
  settle(state, { holder, claim, bytes, revision }, { nowMs }) {
    const next = copyOf(state);
    settle(next, { holder, claim, entry: [bytes, revision, secondsOf(nowMs)] });
    return { state: next };
  },
  'settle-all'(state, { holders, claim }, { nowMs }) {
    const next = copyOf(state);
    for (const [holder, [bytes, revision]] of Object.entries(holders)) {
      settle(next, { holder, claim, entry: [bytes, revision, secondsOf(nowMs)] });
    }
    return { state: next };
  },
  'give-back'(state, { holder, claim }) {
    const next = copyOf(state);
    giveBack(next, holder, claim);
    return { state: next };
  },
  'give-back-all'(state, { holders, claim }) {
    const next = copyOf(state);
    for (const holder of holders) giveBack(next, holder, claim);
    return { state: next };
  },
  drop(state, { holder, archived }) {
    if (state.entries[holder] === undefined) return {};
    const next = copyOf(state);
    drop(next, holder);
    return { state: archived ? { ...next, archived: next.archived + 1 } : next };
  },
  'drop-all'(state, { holders }) {
    if (holders.every((holder) => state.entries[holder] === undefined)) return {};
    const next = copyOf(state);
    for (const holder of holders) drop(next, holder);
    return { state: next };
  },
  recount: (state, body, { nowMs }) => ({ state: recounted(state, body, nowMs) }),
});

/** Reserves room for all holders, or for none when they do not fit together. */
function taken(
  state: QuotaState,
  { holders, claim, most, countAgainMs }: Static<(typeof quotaMessages)['take-all']>,
  nowMs: number,
): Effects<QuotaState, QuotaReply> {
  if (state.countedAtMs === 0) return refused('uncounted');
  const before = usageOf(state);
  const next = copyOf(state);
  for (const [holder, bytes] of Object.entries(holders)) {
    const [knownBytes, revision] = next.entries[holder] ?? [0, 0];
    next.entries[holder] = [knownBytes, revision, secondsOf(nowMs)];
    next.claims[holder] = { ...next.claims[holder], [claim]: bytes };
  }
  const after = usageOf(next);
  const because =
    after.count > before.count && after.count > Math.min(most.count, MAX_HOLDERS)
      ? 'count'
      : after.count > before.count && state.archived >= most.count * ARCHIVED_FACTOR
        ? 'archived'
        : after.bytes > before.bytes && after.bytes > most.bytes
          ? 'bytes'
          : null;
  if (because === null) return { state: next, reply: { taken: true } };
  const stands = countAgainMs === null || nowMs - state.countedAtMs < countAgainMs;
  return refused(stands ? because : 'uncounted');
}

/** The number of holders and their bytes, with claims that are under way. */
export function usageOf({ entries, claims }: QuotaState): { readonly count: number; readonly bytes: number } {
  let [count, bytes] = [0, 0];
  for (const holder in entries) {
    count += 1;
    bytes += entries[holder]![0];
    const open = claims[holder];
    if (open === undefined) continue;
    bytes += Math.max(0, Math.max(...Object.values(open)) - entries[holder]![0]);
  }
  return { count, bytes };
}

function recounted(
  state: QuotaState,
  { present, gone, last }: Static<(typeof quotaMessages)['recount']>,
  nowMs: number,
): QuotaState {
  const entries = { ...state.entries };
  const claims = { ...state.claims };
  for (const [holder, entry] of Object.entries(present)) {
    const known = entries[holder];
    if (known !== undefined && known[1] > entry[1]) continue;
    // A claim that is older than any request lasts belongs to a dead process.
    if (known !== undefined && known[2] + CLAIM_LASTS_S < secondsOf(nowMs)) delete claims[holder];
    entries[holder] = [entry[0], entry[1], known?.[2] ?? entry[2]];
  }
  for (const [holder, [, revision, atS]] of Object.entries(gone)) {
    const known = entries[holder];
    // The entry was changed since: that request is about to make the resource.
    if (known === undefined || known[1] !== revision || known[2] !== atS) continue;
    if (atS + CLAIM_LASTS_S >= secondsOf(nowMs)) continue;
    delete entries[holder];
    delete claims[holder];
  }
  if (last === null) return { ...state, entries, claims };
  return { countedAtMs: nowMs, entries, claims, archived: last.archived };
}

/** The longest time in seconds that a request with a claim is under way. */
const CLAIM_LASTS_S = 600;

function refused(because: Exclude<QuotaReply, { taken: true }>['because']): Effects<QuotaState, QuotaReply> {
  return { reply: { taken: false, because } };
}

/** A copy whose entries and claims may be changed in place. */
function copyOf(state: QuotaState): QuotaState {
  return { ...state, entries: { ...state.entries }, claims: { ...state.claims } };
}

function settle(
  { entries, claims }: QuotaState,
  { holder, claim, entry }: { readonly holder: string; readonly claim: string | null; readonly entry: QuotaEntry },
): void {
  if (claim !== null) endClaim(claims, holder, claim);
  const [, newest = -1] = entries[holder] ?? [];
  if (entry[1] >= newest) entries[holder] = entry;
}

function giveBack({ entries, claims }: QuotaState, holder: string, claim: string): void {
  endClaim(claims, holder, claim);
  const neverWas = claims[holder] === undefined && entries[holder]?.[1] === 0;
  if (neverWas) delete entries[holder];
}

function drop({ entries, claims }: QuotaState, holder: string): void {
  delete entries[holder];
  delete claims[holder];
}

function endClaim(claims: QuotaState['claims'], holder: string, claim: string): void {
  const { [claim]: _ended, ...others } = claims[holder] ?? {};
  if (Object.keys(others).length === 0) delete claims[holder];
  else claims[holder] = others;
}

function secondsOf(ms: number): number {
  return Math.floor(ms / 1000);
}

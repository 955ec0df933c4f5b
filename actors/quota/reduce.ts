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
  take(state, { holder, claim, bytes, most, countAgainMs }, { nowMs }): Effects<QuotaState, QuotaReply> {
    if (state.countedAtMs === 0) return refused('uncounted');
    const before = usageOf(state);
    const claims = { ...state.claims, [holder]: { ...state.claims[holder], [claim]: bytes } };
    const known = state.entries[holder];
    const entry: QuotaEntry = [known?.[0] ?? 0, known?.[1] ?? 0, secondsOf(nowMs)];
    const next = { ...state, claims, entries: { ...state.entries, [holder]: entry } };
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
  },
  settle(state, { holder, claim, bytes, revision }, { nowMs }) {
    const [, newest = -1] = state.entries[holder] ?? [];
    const without = claim === null ? state : withoutClaim(state, holder, claim);
    if (revision < newest) return { state: without };
    const entry: QuotaEntry = [bytes, revision, secondsOf(nowMs)];
    return { state: { ...without, entries: { ...without.entries, [holder]: entry } } };
  },
  'give-back'(state, { holder, claim }) {
    const without = withoutClaim(state, holder, claim);
    const neverWas = without.claims[holder] === undefined && without.entries[holder]?.[1] === 0;
    return { state: neverWas ? withoutEntry(without, holder) : without };
  },
  drop(state, { holder, archived }) {
    if (state.entries[holder] === undefined) return {};
    const without = withoutEntry(state, holder);
    return { state: archived ? { ...without, archived: without.archived + 1 } : without };
  },
  recount: (state, body, { nowMs }) => ({ state: recounted(state, body, nowMs) }),
});

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

function withoutClaim(state: QuotaState, holder: string, claim: string): QuotaState {
  const { [claim]: _done, ...others } = state.claims[holder] ?? {};
  const { [holder]: _all, ...claims } = state.claims;
  return { ...state, claims: Object.keys(others).length === 0 ? claims : { ...claims, [holder]: others } };
}

function withoutEntry(state: QuotaState, holder: string): QuotaState {
  const { [holder]: _entry, ...entries } = state.entries;
  const { [holder]: _claims, ...claims } = state.claims;
  return { ...state, entries, claims };
}

function secondsOf(ms: number): number {
  return Math.floor(ms / 1000);
}

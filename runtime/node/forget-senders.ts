/**
 * A kind with `forgetActorsMs` remembers this many senders, 1.2 MB of its document, which is written whole with each
 * save. It remembers more only while they are new.
 */
const MOST_FORGETTABLE_SENDERS = 10_000;
/**
 * However many others there are, an actor is remembered for this many ms, so that what it sends twice is recognised.
 */
const CROWDED_FORGET_ACTORS_MS = 10 * 60_000;

interface Remembering {
  readonly nowMs: number;
  /** How long the incarnation of a process is remembered, ms. */
  readonly keepSendersMs: number;
  /** How long another actor is remembered, ms; undefined: for ever. */
  readonly forgetActorsMs: number | undefined;
}

/**
 * Law 6: the incarnation of a process is forgotten only long after the process must have ended; another actor is
 * forgotten only by kinds that allow it, and earlier when the kind would remember too many. `received` is ordered by
 * last use.
 */
export function forgetSenders(
  received: Map<string, { readonly atMs: number }>,
  { nowMs, keepSendersMs, forgetActorsMs }: Remembering,
): void {
  const usualMs = forgetActorsMs ?? Number.POSITIVE_INFINITY;
  const crowdedMs = forgetActorsMs === undefined ? usualMs : Math.min(usualMs, CROWDED_FORGET_ACTORS_MS);
  for (const [from, { atMs }] of received) {
    const keepActorsMs = received.size > MOST_FORGETTABLE_SENDERS ? crowdedMs : usualMs;
    if (atMs >= nowMs - Math.min(keepSendersMs, keepActorsMs)) break;
    if (atMs < nowMs - (from.includes('/') ? keepActorsMs : keepSendersMs)) received.delete(from);
  }
}

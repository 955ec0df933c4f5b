import { decodeEnvelope } from '../../runtime/node/envelope.ts';
import type { IdempotentEntry, LogEntry } from '../../runtime/ports/log.ts';
import type { RelayedEntry } from '../../runtime/ports/relayed.ts';

/** The clocks of edges and of the region's log differ by less than this, ms. */
const MAX_CLOCK_SKEW_MS = 60_000;

type Header = Omit<IdempotentEntry, 'payload'>;

/**
 * The entry of a region's log for one that home is to append once: the payload is preceded by what home needs for that,
 * in a line of its own. The note of a provisional entry is inserted at home. Home remembers the id from its first
 * expiry on, so a call that was spooled here is no later than any other.
 */
export function regionalEntry(entry: IdempotentEntry): IdempotentEntry {
  const { payload, noteBefore, isForeign, firstExpiresAtMs, ...remembered } = entry;
  const expiresAtMs = firstExpiresAtMs ?? entry.expiresAtMs;
  const header: Header = { ...remembered, expiresAtMs, ...(noteBefore !== undefined && { noteBefore }) };
  return { ...remembered, payload: `${JSON.stringify(header)}\n${payload}` };
}

/**
 * Decodes the entries of a region's log. The region's own are those that it sold in hours that its log remembers from
 * their beginning: those of a log that was lost may be in the log that followed, too.
 */
export function regionalEntryDecoder(region: string): (entry: LogEntry, madeAtMs: number) => RelayedEntry {
  return ({ position, payload }, madeAtMs) => {
    const lineEnd = payload.indexOf('\n');
    const header = JSON.parse(payload.slice(0, lineEnd)) as Header;
    const message = payload.slice(lineEnd + 1);
    const { region: soldIn } = decodeEnvelope(message).body as { readonly region?: string };
    const isOwn = soldIn === region && header.bucketMs >= madeAtMs + MAX_CLOCK_SKEW_MS;
    return { ...header, payload: message, from: position, isOwn };
  };
}

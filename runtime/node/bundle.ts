import type { LogEntry } from '../ports/log.ts';

/** An entry has at most this many messages: what is handled with care, or given up, is a whole entry. */
const MOST_MESSAGES = 64;
/** Between the messages of an entry. The text of a message, which is JSON without indentation, has none. */
const SEPARATOR = '\n';

/** One message of an entry, as if it were an entry by itself. */
export interface LogMessage extends LogEntry {
  /** Its place among the messages of its entry, from 0. */
  readonly index: number;
}

/**
 * Joins messages of one partition into few entries, in their order. An entry has each receiver once: of two messages at
 * one position a receiver would skip the second as a repetition (law 3).
 */
export function bundle(messages: readonly { readonly to: string; readonly payload: string }[]): string[] {
  const entries: string[][] = [];
  let receivers = new Set<string>();
  for (const { to, payload } of messages) {
    if (entries.length === 0 || receivers.has(to) || receivers.size === MOST_MESSAGES) {
      entries.push([]);
      receivers = new Set();
    }
    entries.at(-1)!.push(payload);
    receivers.add(to);
  }
  return entries.map((payloads) => payloads.join(SEPARATOR));
}

/** The messages of an entry, in their order. Nearly all entries have one. */
export function messagesOf({ position, payload }: LogEntry): LogMessage[] {
  if (!payload.includes(SEPARATOR)) return [{ position, payload, index: 0 }];
  return payload.split(SEPARATOR).map((text, index) => ({ position, payload: text, index }));
}

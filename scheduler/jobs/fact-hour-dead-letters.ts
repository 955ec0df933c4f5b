import { facts } from '../../actors/facts/facts.ts';
import { type LedgerIdParts, parseLedgerId } from '../../actors/ledger/ledger-id.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { bodyOf, readDeadLetters } from '../billing/parked-money.ts';

/** A message on the way of an hour of counts to its day that was ever parked. */
export interface FactHourDeadLetter {
  readonly deadLetterId: string;
  /** The counts of the hour. */
  readonly ledger: LedgerIdParts;
  /** The instant at which the message was replayed or discarded; null while it waits. */
  readonly decidedAtMs: number | null;
}

const ADDRESS = `${facts.kind}/`;

/**
 * All messages that were ever parked between the counts of an hour and those of its day: `close` to the hour, and
 * `hour` to the day. No money is in them.
 */
export async function factHourDeadLetters(
  store: Pick<StateStore, 'deadLetters'>,
): Promise<readonly FactHourDeadLetter[]> {
  const found: FactHourDeadLetter[] = [];
  for await (const { id, to, type, payload, discarded, replayedAtMs } of readDeadLetters(store)) {
    if (!to.startsWith(ADDRESS) || (type !== 'close' && type !== 'hour')) continue;
    const named = parseLedgerId(to.slice(ADDRESS.length));
    const { hour } = bodyOf(payload);
    const ledger = type === 'close' ? named : { ...named, hour: Number.isInteger(hour) ? (hour as number) : 0 };
    found.push({ deadLetterId: id, ledger, decidedAtMs: discarded?.atMs ?? replayedAtMs });
  }
  return found;
}

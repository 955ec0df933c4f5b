import type { LogEntry } from '../ports/log.ts';
import { positionTimeMs } from '../ports/position.ts';
import { type LogMessage, messagesOf } from './bundle.ts';
import { decodeEnvelope, type Envelope } from './envelope.ts';
import type { ActorAddress, KindRegistry } from './kind-registry.ts';
import type { PendingDeadLetters } from './pending-dead-letters.ts';

/** A message and its receiving actor. */
export interface Addressed {
  readonly entry: LogMessage;
  readonly envelope: Envelope;
  readonly target: ActorAddress;
  /** `kind/id`, with the id that the kind chooses by the message's log time. */
  readonly address: string;
}

const UNREADABLE: Envelope = { to: '', type: '', body: null, from: '', sequence: '', ask: null };

/**
 * Finds the receiver of each message of the entries. Those that are unreadable or have no known receiver are parked.
 */
export function addressEntries(
  kinds: KindRegistry,
  entries: readonly LogEntry[],
  pendingDeadLetters: PendingDeadLetters,
): Addressed[] {
  const addressed: Addressed[] = [];
  for (const entry of entries.flatMap(messagesOf)) {
    let envelope: Envelope;
    try {
      envelope = decodeEnvelope(entry.payload);
    } catch (error) {
      pendingDeadLetters.add(entry, UNREADABLE, `unreadable: ${(error as Error).message}`);
      continue;
    }
    const target = targetOf(kinds, entry, envelope);
    if (!target) pendingDeadLetters.add(entry, envelope, `no actor ${envelope.to} is known here`);
    else addressed.push({ entry, envelope, target, address: `${target.kind.definition.kind}/${target.id}` });
  }
  return addressed;
}

function targetOf(kinds: KindRegistry, entry: LogEntry, envelope: Envelope): ActorAddress | undefined {
  const target = kinds.parseAddress(envelope.to);
  const idAt = target?.kind.definition.idAt;
  if (!target || !idAt) return target;
  try {
    return { kind: target.kind, id: idAt(target.id, positionTimeMs(entry.position)) };
  } catch {
    return undefined;
  }
}

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
  for (const entry of entries) {
    for (const message of messagesOf(entry)) {
      const one = addressOf(kinds, message, pendingDeadLetters, addressed.at(-1));
      if (one !== null) addressed.push(one);
    }
  }
  return addressed;
}

/** Null where the message is parked. `previous`: the last one that was not, which is often for the same receiver. */
function addressOf(
  kinds: KindRegistry,
  entry: LogMessage,
  pendingDeadLetters: PendingDeadLetters,
  previous: Addressed | undefined,
): Addressed | null {
  let envelope: Envelope;
  try {
    envelope = decodeEnvelope(entry.payload);
  } catch (error) {
    pendingDeadLetters.add(entry, UNREADABLE, `unreadable: ${(error as Error).message}`);
    return null;
  }
  const target = targetOf(kinds, entry, envelope);
  if (target === undefined) {
    pendingDeadLetters.add(entry, envelope, `no actor ${envelope.to} is known here`);
    return null;
  }
  const { kind, id } = target;
  // The same string object, whose hash is known: a message's address is looked up several times.
  if (previous?.target.kind === kind && previous.target.id === id) {
    return { entry, envelope, target: previous.target, address: previous.address };
  }
  return { entry, envelope, target, address: `${kind.definition.kind}/${id}` };
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

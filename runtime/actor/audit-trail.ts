import type { Send } from './context.ts';

/** What the requested changes of an eager kind leave in the audit trail. */
export interface AuditRule {
  /** What an entry holds: the states before and after the change, or the message, where states are internal. */
  readonly entry?: 'states' | 'message';
  /** The messages whose changes leave no entry, each with the reason; a reason alone: none leaves any. */
  readonly none?: string | Readonly<Record<string, string>>;
}

/** A change of an eager actor's state by a message that names who asked for it. */
export interface AuditedChange {
  readonly kind: string;
  readonly id: string;
  /** The message's type. */
  readonly type: string;
  /** The message's body. */
  readonly body: unknown;
  readonly position: string;
  /** The log time of the message, ms since the epoch. */
  readonly nowMs: number;
  readonly before: unknown;
  /** The state after the change; null when the actor was deleted. */
  readonly after: unknown;
  /** What the kind's entries hold. */
  readonly entry: 'states' | 'message';
  /** `AskOptions.by`, unchanged. */
  readonly by: unknown;
}

/**
 * Turns a change into the messages that record it. Pure. The messages are saved with the change and leave through the
 * actor's outbox. Changes that leave no entry by the kind's rule are not handed to it.
 */
export type AuditTrail = (change: AuditedChange) => readonly Send[];

import type { Send } from './context.ts';

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
  /** `AskOptions.by`, unchanged. */
  readonly by: unknown;
}

/**
 * Turns a change into the messages that record it. Pure. The messages are saved with the change and leave through the
 * actor's outbox.
 */
export type AuditTrail = (change: AuditedChange) => readonly Send[];

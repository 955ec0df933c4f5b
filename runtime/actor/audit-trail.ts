import type { Send } from './context.ts';

/** A change of an eager actor's state by a message that said who asked for it. */
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
  /** Null: it was deleted. */
  readonly after: unknown;
  /** `AskOptions.by`, as it came. */
  readonly by: unknown;
}

/** Makes of a change the messages that tell of it. Pure; they are saved with the change and leave by the actor's outbox. */
export type AuditTrail = (change: AuditedChange) => readonly Send[];

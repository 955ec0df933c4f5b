/** A message that a relay makes of others. */
export interface SummedMessage {
  /** `kind/id` of the receiver. */
  readonly to: string;
  readonly type: string;
  readonly body: unknown;
  /** Orders the messages of one sum to one receiver, and tells them apart. A whole number. */
  readonly index: number;
}

/** A message that a relay sends on as it is. */
export interface UnsummedMessage {
  readonly to: string;
  readonly payload: string;
}

/**
 * The sum of messages of one partition. It depends on the messages and their order alone: a relay that follows one that
 * died makes it of the same messages again, and what is sent twice must not differ.
 */
export interface MessageSum {
  /** The number of messages that it gives. */
  readonly size: number;
  /** Adds an encoded message. Never throws. */
  add(payload: string): void;
  summed(): SummedMessage[];
  /** Those that could not be summed, in their order. */
  unsummed(): readonly UnsummedMessage[];
}

/** Messages that were read and not sent on. */
export interface HeldBatch {
  /** The number of messages that it would be at home. */
  readonly size: number;
  /** For how long its first message has been held, ms. */
  readonly heldMs: number;
  /** Now, ms since the epoch. */
  readonly nowMs: number;
}

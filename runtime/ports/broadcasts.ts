/** What a reader of a topic gets: texts that were published after its place, in order, and its new place. */
export interface BroadcastPart {
  readonly texts: readonly string[];
  /** The place up to which the topic was read; opaque. */
  readonly place: string;
  /** True when texts after the reader's place are kept no more, or were lost: it has missed some. */
  readonly missed: boolean;
}

/**
 * Topics on which every process publishes texts that all others read: what helps them, is small, and may be lost. With
 * Redis a topic is a short stream in one slot; only the newest texts are kept.
 *
 * Both methods reject with `CountersUnavailable` when the topic cannot be reached or does not answer within the
 * provider's deadline.
 */
export interface Broadcasts {
  /** Publishes a text. A rejection leaves it unknown whether it was published. */
  publish(topic: string, text: string): Promise<void>;
  /**
   * Reads at most `limit` texts after a place; those of the caller too. Without a place it reads nothing, and answers
   * with the end of the topic. One round trip.
   */
  read(topic: string, place: string | null, limit: number): Promise<BroadcastPart>;
}

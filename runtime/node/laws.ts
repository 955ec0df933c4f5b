/**
 * The laws that keep "exactly once in effect" true, by name. Each law is enforced where a comment names it. Breaking
 * one on purpose (`brokenLaws`, only for the simulator and tests) must make an invariant fail, which shows that the law
 * is needed and that the checks would notice.
 */
export const LAWS = {
  /** 1. Reading removes nothing from the log: only the epoch-checked commit trims. (Enforced by the log provider.) */
  'reading-takes-nothing': 1,
  /** 1. A stale owner can neither move the cursor nor trim. (Enforced by the log provider.) */
  'stale-owner-cannot-commit': 1,
  /** 2. The cursor stays below the oldest message that no saved state covers. */
  'cursor-below-unsaved': 2,
  /** 3. Saves compare and set on the version. (Enforced by the store.) */
  'compare-and-set': 3,
  /** 3. After a shortfall, error or timeout of a save, the stored version is read again before anything follows. */
  'reread-after-failed-save': 3,
  /** 3. A message at or below the position that a loaded state reflects is skipped. */
  'skip-covered': 3,
  /** 4. Nothing caused by unsaved state leaves the process. */
  'nothing-unsaved-leaves': 4,
  /** 5. Outgoing messages are saved in the document before they are published. */
  'outbox-saved-first': 5,
  /** 5. Loading an actor publishes its outbox before the cursor moves. */
  'outbox-published-on-load': 5,
  /** 5, 6. Receivers skip messages that they have already received from a sender. */
  'sequence-deduplication': 6,
  /** 6. A request asked again gets its first answer. */
  'request-deduplication': 6,
  /** 7. Only clean actors passivate. */
  'clean-passivation': 7,
  /** 7. A deleted actor leaves a tombstone with its position and what it had received. */
  'tombstone-remembers': 7,
  /** 8. Lazy actors send absolute totals again until they are confirmed. */
  'totals-resent-on-load': 8,
  /** 9. Positions assigned after the log was lost are above those that saved states reflect. */
  'raise-behind-log': 9,
  /** 10. The dead letter of a parked message is saved with the state that covers the message, or before it. */
  'park-before-cover': 10,
  /** 10. A reducer's throw parks one message, and its actor continues. */
  'throw-parks': 10,
  /** 11. The catalogue's tail is read before the snapshot is taken. */
  'tail-before-snapshot': 11,
  /** 11. Only a higher version of a projection applies. */
  'higher-versions-only': 11,
  /** 11. A gap in the numbers means a new snapshot. */
  'hole-means-snapshot': 11,
  /** 13. A node whose store does not answer, while other nodes are fit, hands its partitions over. */
  'unfit-hands-over': 13,
  /**
   * 12. The store token of everything that a cursor covers stands beside the cursor before any reader relies on the
   * cursor.
   */
  'token-beside-cursor': 12,
  /** 12. A read that relies on cursors having passed a position is made after their tokens. */
  'read-after-token': 12,
  /** 12. A snapshot of the catalogue is read after a token of its own, taken once the tail is read. */
  'snapshot-after-token': 12,
  /**
   * 12. Acknowledged entries are on every server of the in-sync set, and on those that join it. (Enforced by the log
   * provider.)
   */
  'wait-for-all': 12,
  /**
   * 12. Entries that are read from a log are handed out once all in-sync servers have them. (Enforced by the log
   * provider.)
   */
  'read-fence': 12,
  /** 12. A primary is used only while the in-sync set names it. (Enforced by the log provider.) */
  'primary-in-sync': 12,
} as const;

export type Law = keyof typeof LAWS;

/** The laws that this node breaks: none outside of tests and the simulator. */
export type BrokenLaws = ReadonlySet<Law>;

export const NO_BROKEN_LAWS: BrokenLaws = new Set();

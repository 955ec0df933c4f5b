/**
 * Is told of every command; quick, as it is called for each. `late`: no answer came in time, or the connection was
 * closed; whether the command took effect is unknown.
 */
export interface CommandObserver {
  begun(): void;
  ended(how: 'answered' | 'failed' | 'late', ms: number): void;
  /** The share of its memory that the fullest server uses, 0 to 1, as of the last check. */
  memoryUsed?(part: number): void;
}

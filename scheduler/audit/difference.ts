/** Two figures that should be one. */
export interface Difference {
  /** Which of the checks found it. */
  readonly check: string;
  /** What was compared: whose, when, where. */
  readonly where: string;
  readonly expected: string;
  readonly found: string;
}

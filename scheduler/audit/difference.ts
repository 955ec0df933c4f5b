/** Two figures that should be equal. */
export interface Difference {
  /** The check that found the difference. */
  readonly check: string;
  /** What was compared: of which source, when and in which place. */
  readonly where: string;
  readonly expected: string;
  readonly found: string;
}

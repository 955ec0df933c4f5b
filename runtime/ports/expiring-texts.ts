/**
 * Named texts, each of which expires: what may be lost, and is read from any process of the region within minutes. With
 * Redis all processes share them; elsewhere they end with the process. A name is chosen once, by chance, and never
 * written again.
 *
 * Both methods reject with `CountersUnavailable` when the texts cannot be reached or do not answer within the
 * provider's deadline; the outcome of a `put` is then unknown.
 */
export interface ExpiringTexts {
  /** Keeps the text for `forMs`, from now on. */
  put(name: string, text: string, forMs: number): Promise<void>;
  /** Null for a text that has expired, was lost or never was. */
  get(name: string): Promise<string | null>;
}

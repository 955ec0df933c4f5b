/** A loop that runs all the time, in one process of the exchange at a time: the one that has the right to run jobs. */
export interface BackgroundWorker {
  /** kebab-case; names it in `GET /api/jobs`. */
  readonly name: string;
  readonly purpose: string;
  /** Begins; called each time that this process gets the right. Must not throw. */
  start(): { close(): Promise<void> };
}

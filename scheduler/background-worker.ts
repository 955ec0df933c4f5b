/** A background worker: a loop that runs all the time, in one process of the exchange at a time, the leader. */
export interface BackgroundWorker {
  /** The name of the worker in `GET /api/jobs`, kebab-case. */
  readonly name: string;
  readonly purpose: string;
  /** Starts the loop. The scheduler calls this each time that this process becomes the leader. Must not throw. */
  start(): { close(): Promise<void> };
}

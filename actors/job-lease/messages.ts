import Type, { type Static } from 'typebox';

/** A background worker of the leader, as people see it. */
export const ListedWorker = Type.Object({ name: Type.String({ minLength: 1 }), purpose: Type.String() });
export type ListedWorker = Static<typeof ListedWorker>;

export const jobLeaseMessages = {
  /**
   * Requests the leader lease, or its renewal, for `forMs` of the log's clock. Answers {@link JobLeaseReply} either
   * way: the lease stays with its holder until the holder resigns or it expires.
   */
  hold: Type.Object({
    /** The name of one run of one process. */
    process: Type.String({ minLength: 1 }),
    forMs: Type.Integer({ minimum: 1 }),
    /** The jobs and workers that the process would run; only the holder's are listed. */
    jobs: Type.Array(Type.String({ minLength: 1 })),
    duties: Type.Array(ListedWorker),
    /** The requests up to this number have become runs of their jobs: they need not be named again. */
    takenUpTo: Type.Integer({ minimum: 0 }),
  }),
  /** Resigns: the process runs nothing any more, and no other process has to wait for its lease to expire. */
  'let-go': Type.Object({ process: Type.String({ minLength: 1 }) }),
  /** Requests a run of this job now. NOT_FOUND for a job that the last holder did not list. Answers nothing. */
  request: Type.Object({ job: Type.String({ minLength: 1 }) }),
};

export interface RunRequest {
  readonly number: number;
  readonly job: string;
}

/** The answer to `hold`. */
export interface JobLeaseReply {
  /** Whether the process that asked is the leader. */
  readonly yours: boolean;
  /** The term: one more with each change of the leader. Messages of an older term do not count. */
  readonly term: number;
  /** The log's clock, ms since the epoch. */
  readonly nowMs: number;
  /** The requested runs; empty for each process but the leader. */
  readonly requests: readonly RunRequest[];
}

import Type, { type Static } from 'typebox';

/** A loop that the holder keeps going, as people are shown it. */
export const ListedWorker = Type.Object({ name: Type.String({ minLength: 1 }), purpose: Type.String() });
export type ListedWorker = Static<typeof ListedWorker>;

export const jobLeaseMessages = {
  /**
   * Asks for the right to run jobs, or to keep it, for `forMs` of the log's clock. Answers {@link Held} either way: it goes
   * to whoever has it until it is let go or runs out.
   */
  hold: Type.Object({
    /** Names one run of one process. */
    process: Type.String({ minLength: 1 }),
    forMs: Type.Integer({ minimum: 1 }),
    /** What it would run; what is listed is what the holder says. */
    jobs: Type.Array(Type.String({ minLength: 1 })),
    duties: Type.Array(ListedWorker),
    /** Requests up to this number have become runs of their jobs: they need not be named again. */
    takenUpTo: Type.Integer({ minimum: 0 }),
  }),
  /** The process runs nothing any more. Nobody has to wait for its time to run out. */
  'let-go': Type.Object({ process: Type.String({ minLength: 1 }) }),
  /** Somebody wants this job run now. Not one that the last holder listed: NOT_FOUND. Answers nothing. */
  request: Type.Object({ job: Type.String({ minLength: 1 }) }),
};

export interface RunRequest {
  readonly number: number;
  readonly job: string;
}

/** The answer to `hold`. */
export interface JobLeaseReply {
  /** Whether the right is the asker's. */
  readonly yours: boolean;
  /** One more with each time that the right changed hands: what is said under an older one does not count. */
  readonly term: number;
  /** The log's clock, ms since the epoch. */
  readonly nowMs: number;
  /** Empty for anybody but the holder. */
  readonly requests: readonly RunRequest[];
}

import Type, { type Static } from 'typebox';

/** ms since the epoch. */
const AtMs = Type.Integer({ minimum: 0 });
const NextAtMs = Type.Union([AtMs, Type.Null()]);

/** The term of the sender: a message of an older term than one that was seen already is refused (CONFLICT). */
const term = { term: Type.Integer({ minimum: 0 }) };

/** The description of a job, as people see it. */
export const JobDescription = Type.Object({
  purpose: Type.String(),
  cron: Type.String({ minLength: 1 }),
  missed: Type.Enum(['each', 'newest', 'none']),
});
export type JobDescription = Static<typeof JobDescription>;

/** What a run has found, by names of the job's own. */
export const Figures = Type.Record(Type.String(), Type.Number());

/** Every message answers the state. */
export const jobMessages = {
  /**
   * Describes the job. The first description sets the time from which its runs are owed. A retry that is due sooner or
   * later stays.
   */
  describe: Type.Object({ ...term, ...JobDescription.properties, nextAtMs: NextAtMs }),
  /** Begins a run: CONFLICT for a run that was done already, unless `again` is set. */
  begin: Type.Object({ ...term, dueMs: AtMs, again: Type.Boolean() }),
  /** The run that was begun is done. `figures`: what it has found. */
  finish: Type.Object({
    ...{ ...term, dueMs: AtMs, outcome: Type.String(), nextAtMs: NextAtMs },
    figures: Type.Optional(Figures),
  }),
  /** The run that was begun failed, and is begun again at `nextAtMs`, by itself or as part of a later one. */
  fail: Type.Object({ ...term, dueMs: AtMs, reason: Type.String(), nextAtMs: NextAtMs }),
};

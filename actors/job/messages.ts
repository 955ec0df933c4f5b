import Type, { type Static } from 'typebox';

/** ms since the epoch. */
const AtMs = Type.Integer({ minimum: 0 });
const NextAtMs = Type.Union([AtMs, Type.Null()]);

/** Whose word it is: that of an older term than one which was heard already counts for nothing (CONFLICT). */
const term = { term: Type.Integer({ minimum: 0 }) };

/** What a job is, as people are shown it. */
export const JobDescription = Type.Object({
  purpose: Type.String(),
  cron: Type.String({ minLength: 1 }),
  missed: Type.Enum(['each', 'newest', 'none']),
});
export type JobDescription = Static<typeof JobDescription>;

/** All of them answer the state. */
export const jobMessages = {
  /** There is such a job. The first time says from when on its runs are owed. A retry that is due sooner or later stays. */
  describe: Type.Object({ ...term, ...JobDescription.properties, nextAtMs: NextAtMs }),
  /** A run begins: one that was done already (`again` unless it is meant to be) is not begun (CONFLICT). */
  begin: Type.Object({ ...term, dueMs: AtMs, again: Type.Boolean() }),
  /** The run that was begun is done. */
  finish: Type.Object({ ...term, dueMs: AtMs, outcome: Type.String(), nextAtMs: NextAtMs }),
  /** The run that was begun failed, and is begun again at `nextAtMs`, by itself or as part of a later one. */
  fail: Type.Object({ ...term, dueMs: AtMs, reason: Type.String(), nextAtMs: NextAtMs }),
};

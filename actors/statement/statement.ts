import Type, { type Static } from 'typebox';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { StatementFigures, statementMessages } from './messages.ts';

/** A frozen statement, which never changes. */
export const FrozenStatement = Type.Object({
  ...StatementFigures.properties,
  /** The log's time of the freeze, ms since the epoch. */
  finalizedAtMs: Type.Integer({ minimum: 0 }),
});
export type FrozenStatement = Static<typeof FrozenStatement>;

const State = Type.Object({ frozen: Type.Union([FrozenStatement, Type.Null()]) });
export type StatementState = Static<typeof State>;

/**
 * The statement of one month that is over: what a publisher is paid, or a demand source owes. The first freeze stands,
 * and later ones get it as their answer. The sender of a freeze must make sure that the books of the month are
 * complete. Id: see statement-id.ts.
 */
export const statement = defineActor({
  kind: 'statement',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'They are written by the end of a month.' },
  state: State,
  messages: statementMessages,
  initial: (): StatementState => ({ frozen: null }),
  handlers: {
    freeze(state, figures, { nowMs }) {
      if (state.frozen !== null) return { reply: state.frozen };
      const frozen: FrozenStatement = { ...figures, finalizedAtMs: nowMs };
      return { state: { frozen }, reply: frozen };
    },
  },
  indexes: ['frozen.month'],
});

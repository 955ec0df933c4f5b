import Type, { type Static } from 'typebox';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { newerToken } from '../../runtime/actor/store-token.ts';

const State = Type.Object({
  /**
   * Everything that was appended to the log before this instant of the log's clock is in the saved ledgers; ms since
   * the epoch.
   */
  throughMs: Type.Integer({ minimum: 0 }),
  /**
   * The newest token of the store with these ledgers: reads that rely on `throughMs` must follow it. Absent before the
   * first token.
   */
  token: Type.Optional(Type.String()),
});
export type WatermarkState = Static<typeof State>;

/** The id of the one watermark of the books. */
export const LEDGER_WATERMARK_ID = 'books';

/** The id of the watermark of filed hours: all earlier hours are in the ledgers of their days. */
export const FILED_HOURS_ID = 'filed-hours';

/**
 * The same of the counts of edges that have a log of their own (actors/facts/facts.ts). It exists since that log was
 * first used.
 */
export const FILED_FACT_HOURS_ID = 'filed-fact-hours';

/**
 * The watermark of the books: every earlier impression is in the ledgers of both sides, so sums up to it balance and
 * stay. The process that has seen all partitions pass raises it; it never falls. It is read from the store, and
 * replicated.
 */
export const watermark = defineActor({
  kind: 'watermark',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'It is written by the books.' },
  state: State,
  messages: {
    raise: Type.Object({ throughMs: Type.Integer({ minimum: 0 }), token: Type.Optional(Type.String()) }),
  },
  initial: () => ({ throughMs: 0 }),
  handlers: {
    raise(state, { throughMs, token = '' }) {
      if (throughMs <= state.throughMs) return { reply: state };
      const newest = newerToken(state.token ?? '', token);
      const raised: WatermarkState = newest === '' ? { throughMs } : { throughMs, token: newest };
      return { state: raised, reply: raised };
    },
  },
  projection: ({ throughMs }) => ({ throughMs }),
});

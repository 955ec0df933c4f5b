import { defineActor } from '../../runtime/actor/define-actor.ts';
import { projectionOf } from '../field-table.ts';
import { type DspView, dspFields } from './fields.ts';
import { dspMessages } from './messages.ts';
import { DspState, dspHandlers, noDsp } from './reduce.ts';

/** A demand source: a buyer that bids over OpenRTB, or leaves its strategy with the exchange. Id: a UUID. */
export const dsp = defineActor({
  kind: 'dsp',
  schemaVersion: 4,
  saving: 'eager',
  state: DspState,
  messages: dspMessages,
  initial: () => noDsp,
  upgrade: upgradeDsp,
  handlers: dspHandlers,
  view: dspView,
  indexes: ['accountId', 'createdAt', 'poolIds', 'sourceKey.id'],
});

function dspView(state: DspState, id: string): DspView | null {
  const { status, lossNoticeMethod } = state;
  if (status === 'absent') return null;
  const byGet = lossNoticeMethod === 'GET' && { lossNoticeMethod };
  return { id, ...projectionOf(dspFields, state), status, ...byGet };
}

/**
 * Version 1 counted no revisions; version 2 knew no cookie sync; version 3 did not say since when there was a budget, which may be
 * since the source was made.
 */
function upgradeDsp(older: unknown): DspState {
  const state = { ...noDsp, revision: 1, ...(older as Partial<DspState>) };
  return { ...state, limitedSinceMs: state.dailyBudgetCents > 0 ? Date.parse(state.createdAt) : 0 };
}

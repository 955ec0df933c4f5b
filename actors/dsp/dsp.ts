import { defineActor } from '../../runtime/actor/define-actor.ts';
import { projectionOf } from '../field-table.ts';
import { type DspProjection, dspFields } from './fields.ts';
import { dspMessages } from './messages.ts';
import { DspState, dspHandlers, noDsp } from './reduce.ts';

/**
 * A demand source: a buyer that bids over OpenRTB, or a delegate, for which the exchange bids by its strategy. Id: a
 * UUID.
 */
export const dsp = defineActor({
  kind: 'dsp',
  schemaVersion: 4,
  saving: 'eager',
  audit: { none: { 'flush-sandbox': 'A reset of the sandbox is one entry, which its route makes.' } },
  state: DspState,
  messages: dspMessages,
  initial: () => noDsp,
  handlers: dspHandlers,
  projection: dspView,
  indexes: ['accountId', 'createdAt', 'poolIds', 'sourceKey.id'],
});

function dspView(state: DspState, id: string): DspProjection | null {
  const { status, lossNoticeMethod } = state;
  if (status === 'absent') return null;
  const byGet = lossNoticeMethod === 'GET' && { lossNoticeMethod };
  return { id, ...projectionOf(dspFields, state), status, ...byGet };
}

import { defineActor } from '../../runtime/actor/define-actor.ts';
import { dspMessages } from './messages.ts';
import { DspState, dspHandlers, noDsp } from './reduce.ts';
import type { DspView } from './view.ts';

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
  if (state.status === 'absent') return null;
  return {
    id,
    accountId: state.accountId,
    partnerId: state.partnerId,
    name: state.name,
    mode: state.mode,
    status: state.status,
    endpointUrl: state.endpointUrl,
    timeoutMs: state.timeoutMs,
    openrtbVersion: state.openrtbVersion,
    poolIds: state.poolIds,
    dailyBudgetCents: state.dailyBudgetCents,
    limitedSinceMs: state.limitedSinceMs,
    revision: state.revision,
    qpsLimit: state.qpsLimit,
    userSyncUrl: state.userSyncUrl,
    userSyncType: state.userSyncType,
    tcfVendorId: state.tcfVendorId,
    eventFeed: state.eventFeed,
    ...(state.lossNoticeMethod === 'GET' && { lossNoticeMethod: state.lossNoticeMethod }),
    breakerResets: state.breakerResets,
    healthResets: state.healthResets,
    sandboxGeneration: state.sandboxGeneration,
  };
}

/**
 * Version 1 counted no revisions; version 2 knew no cookie sync; version 3 did not say since when there was a budget, which may be
 * since the source was made.
 */
function upgradeDsp(older: unknown): DspState {
  const state = { ...noDsp, revision: 1, ...(older as Partial<DspState>) };
  return { ...state, limitedSinceMs: state.dailyBudgetCents > 0 ? Date.parse(state.createdAt) : 0 };
}

import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { CallOutcome } from '../../edge/auction/bidders.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { BidderCall } from './bidder-call.ts';
import { createChannels } from './channels/create-channels.ts';
import type { BidderSettings } from './settings.ts';

/** The complete result of one call. */
export interface Trial {
  readonly outcome: CallOutcome;
  /** HTTP status of the answer; null without an answer. */
  readonly status: number | null;
  /** The received part of the body; null when it is not text. */
  readonly text: string | null;
  /** ms from the request's first byte on the wire to the end; 0 when nothing was sent. */
  readonly latencyMs: number;
}

/** A call that reports when its request is sent. */
class TrialCall extends BidderCall {
  sent: () => void = () => undefined;

  override sending(): boolean {
    const sending = super.sending();
    if (sending) this.sent();
    return sending;
  }
}

/**
 * Calls a bidder once, outside any auction and on a connection of its own: with the endpoint's headers, address rules
 * and bounds, and without any limit, breaker or count that affects auctions. Never rejects.
 *
 * `timeoutMs` runs from the request's first byte: in traffic connections are kept open, so the time to open one is not
 * the bidder's. Opening has `connectTimeoutMs` of its own.
 */
export function tryBidder(
  dsp: DspProjection,
  settings: BidderSettings,
  body: Buffer,
  timeoutMs: number,
  clock: Clock,
): Promise<Trial> {
  const channels = createChannels(dsp, settings, clock);
  if (channels === null) {
    const outcome = { reason: 'unreachable', detail: 'the endpoint may not be called' } as const;
    return Promise.resolve({ outcome, status: null, text: null, latencyMs: 0 });
  }
  return new Promise((resolve) => {
    let cancelTimer = (): void => undefined;
    const ended = (): void => {
      cancelTimer();
      const { outcome, status, latencyMs } = call;
      resolve({ outcome: outcome!, status: status || null, text: call.receivedText(), latencyMs });
      channels.destroy();
    };
    const owner = { dsp, settled: () => undefined, notConnected: () => undefined, released: () => undefined };
    const nowMs = clock.monotonic();
    const channel = channels.take(nowMs);
    const call = new TrialCall(
      owner,
      channel,
      0,
      nowMs,
      Number.POSITIVE_INFINITY,
      settings.maxResponseBytes,
      clock,
      ended,
    );
    call.sent = () => {
      // Where this process was delayed, an answer that arrived in time may still wait to be read.
      cancelTimer = clock.after(timeoutMs, () => setImmediate(() => call.timeOut()));
    };
    channel.send(call, body);
  });
}

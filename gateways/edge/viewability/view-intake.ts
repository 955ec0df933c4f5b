import type { Clock } from '../../../runtime/ports/clock.ts';
import type { Facts } from '../facts.ts';
import type { TrackingVerifier } from '../tracking/verify.ts';
import { SeenOnce } from './seen-once.ts';

/**
 * What is told of an impression (MRC, Viewable Ad Impression Measurement Guidelines): `measurable`: it was rendered where its
 * visibility can be told; `viewable`: half of its pixels were in view for a second without a break, of a large display ad
 * (242,500 pixels or more) three tenths, of a video for two seconds while it played; `not_viewable`: it was measurable and will
 * not be viewable, which is how players tell that it was measurable.
 */
export const VIEW_EVENTS = ['measurable', 'viewable', 'not_viewable'] as const;
export type ViewEvent = (typeof VIEW_EVENTS)[number];

/** Why a view did not count. `expired`: told too late after the sale. */
export type ViewOutcome = 'counted' | 'repeated' | 'expired' | 'forged' | 'altered';

/** Views remembered, so that none counts twice; some 100 bytes each. */
const REMEMBERED = 500_000;

export interface ViewReports {
  readonly verifier: TrackingVerifier;
  readonly facts: Facts;
  readonly clock: Clock;
  /** A view that is told later than this after the sale does not count. */
  readonly windowMs: number;
}

/**
 * Counts views of what this exchange has sold, each once for an impression and process: a fact of the publisher, of the DSP and
 * of the creative. What does not count is counted by its reason. It bills nothing.
 */
export class ViewIntake {
  readonly #reports: ViewReports;
  readonly #seen: SeenOnce;

  constructor(reports: ViewReports) {
    this.#reports = reports;
    this.#seen = new SeenOnce({ windowMs: reports.windowMs, most: REMEMBERED });
  }

  /** `query`: that of the tracking URL, signed by the exchange. */
  take(event: ViewEvent, query: string): ViewOutcome {
    const { verifier, facts, clock, windowMs } = this.#reports;
    const verified = verifier.verify('impression', query);
    if (!verified.ok) {
      facts.platform(false).viewCalls.add(verified.reason);
      return verified.reason;
    }
    const { sale, trackingId } = verified;
    const publisher = facts.publisher(sale.publisherId, sale.sandbox);
    const nowMs = clock.now();
    if (nowMs >= sale.issuedAtMs + windowMs) {
      publisher.viewCalls.add('expired');
      return 'expired';
    }
    const dsp = facts.dsp(sale.dspId, sale.sandbox);
    const countOnce = (what: 'measurable' | 'viewable'): boolean => {
      if (!this.#seen.add(`${what} ${trackingId}`, sale.issuedAtMs, nowMs)) return false;
      publisher.views.add(what);
      publisher.dsps.viewed(sale.dspId, what);
      dsp.views.add(what);
      dsp.publishers.viewed(sale.publisherId, what);
      if (sale.crid !== '') dsp.creatives.viewed(sale.crid, what);
      return true;
    };
    // What was seen could be measured: a player tells no more than that.
    const measured = countOnce('measurable');
    if (event === 'viewable' ? countOnce('viewable') : measured) return 'counted';
    publisher.viewCalls.add('repeated');
    return 'repeated';
  }
}

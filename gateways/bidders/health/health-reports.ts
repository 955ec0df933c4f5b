import { bidderHealth } from '../../../actors/bidder-health/bidder-health.ts';
import type { EdgeHealthReport } from '../../../actors/bidder-health/messages.ts';
import { mapLimit } from '../../../async/map-limit.ts';
import { Ticker } from '../../../async/ticker.ts';
import type { Messenger } from '../../../runtime/actor/messenger.ts';
import type { Clock } from '../../../runtime/ports/clock.ts';
import type { Bidder } from '../bidder.ts';

const REPORT_EVERY_MS = 1_000;
/** Of a bidder that nothing changes about, while there is something to say of it. */
const HEARTBEAT_EVERY_REPORTS = 5;
/** Tells under way at once: a slow log makes the next report wait, not the memory grow. */
const MAX_REPORTS_IN_FLIGHT = 64;

export interface HealthReportsOptions {
  readonly bidders: { all(): Iterable<Bidder> };
  readonly messenger: Messenger;
  readonly clock: Clock;
  /** Names this run of this edge, unlike any other. */
  readonly edge: string;
  readonly region: string;
}

/** What was told of a bidder last, and how many reports ago. */
interface LastReport {
  readonly sighting: EdgeHealthReport;
  reportsAgo: number;
}

interface Report {
  readonly dspId: string;
  readonly resets: number;
  readonly sighting: EdgeHealthReport;
  readonly lastBidAtMs: number | null;
}

/**
 * Tells, once a second, how those bidders do that were called or whose breaker changed, and every few seconds how those do
 * that have anything behind them. Each report is the whole truth, so one that is lost is made good by the next.
 */
export class HealthReports {
  readonly #options: HealthReportsOptions;
  #lastReports = new Map<string, LastReport>();
  readonly #reporting: Ticker;

  constructor(options: HealthReportsOptions) {
    this.#options = options;
    this.#reporting = new Ticker(options.clock, REPORT_EVERY_MS, () => this.#reportAll());
  }

  start(): void {
    this.#reporting.start();
  }

  /** Tells what there is to tell; never rejects. */
  report(): Promise<void> {
    return this.#reporting.now();
  }

  /** Ends the timer and reports a last time. */
  async close(): Promise<void> {
    await this.#reporting.stop();
    await this.report();
  }

  async #reportAll(): Promise<void> {
    await mapLimit(this.#due(), MAX_REPORTS_IN_FLIGHT, (report) => this.#send(report));
  }

  #due(): Report[] {
    const due: Report[] = [];
    const told = new Map<string, LastReport>();
    for (const bidder of this.#options.bidders.all()) {
      const { id: dspId, healthResets: resets } = bidder.dsp;
      const { sighting, lastBidAtMs } = this.#readHealth(bidder);
      const before = this.#lastReports.get(dspId);
      if (isDue(sighting, before)) {
        due.push({ dspId, resets, sighting, lastBidAtMs });
        told.set(dspId, { sighting, reportsAgo: 0 });
      } else if (before) {
        before.reportsAgo++;
        told.set(dspId, before);
      }
    }
    this.#lastReports = told;
    return due;
  }

  #readHealth(bidder: Bidder): { sighting: EdgeHealthReport; lastBidAtMs: number | null } {
    const { latencyMs, lastBidAtMs, ...counts } = bidder.takeFigures();
    const latencyMicros = Math.round(latencyMs * 1000);
    const sighting = { region: this.#options.region, breaker: bidder.breakerState(), ...counts, latencyMicros };
    return { sighting, lastBidAtMs };
  }

  async #send({ dspId, resets, sighting, lastBidAtMs }: Report): Promise<void> {
    const { messenger, edge } = this.#options;
    try {
      await messenger.tell(bidderHealth, dspId, 'report', { edge, resets, sighting, lastBidAtMs });
    } catch {
      // Whether it arrived or not, the next report says it again, and more.
      const told = this.#lastReports.get(dspId);
      if (told) told.reportsAgo = HEARTBEAT_EVERY_REPORTS;
    }
  }
}

function isDue(now: EdgeHealthReport, told: LastReport | undefined): boolean {
  const saysSomething = now.calls > 0 || now.callsPerSecond > 0 || now.breaker !== 'closed';
  if (told === undefined) return saysSomething;
  const { sighting: before, reportsAgo } = told;
  if (now.callsPerSecond > 0 || before.callsPerSecond > 0 || now.breaker !== before.breaker) return true;
  // When the last calls have left the five minutes, that is told too.
  return (saysSomething || before.calls > 0) && reportsAgo + 1 >= HEARTBEAT_EVERY_REPORTS;
}

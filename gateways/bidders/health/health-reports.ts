import { bidderHealth } from '#actors/bidder-health/bidder-health';
import type { EdgeHealthReport } from '#actors/bidder-health/messages';
import { mapLimit } from '#async/map-limit';
import { Ticker } from '#async/ticker';
import type { Messenger } from '#runtime/actor/messenger';
import type { Clock } from '#runtime/ports/clock';
import type { Bidder } from '../bidder.ts';

const REPORT_EVERY_MS = 1_000;
/** Reports after which an unchanged bidder is reported again, while it has any figures. */
const HEARTBEAT_EVERY_REPORTS = 5;
/** Upper bound of messages under way at once: a slow log delays the next report and does not fill the memory. */
const MAX_REPORTS_IN_FLIGHT = 64;

export interface HealthReportsOptions {
  readonly bidders: { all(): Iterable<Bidder> };
  readonly messenger: Messenger;
  readonly clock: Clock;
  /** Unique name of this run of this edge. */
  readonly edge: string;
  readonly region: string;
}

/** The last report of a bidder, and the number of rounds since. */
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
 * Reports bidders' health: once a second for bidders that were called or whose breaker changed, and every few seconds
 * for the others that have figures. Each report is complete, so a lost one is made good by the next.
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

  /** Sends the due reports; never rejects. */
  report(): Promise<void> {
    return this.#reporting.now();
  }

  /** Stops the timer and reports a last time. */
  async close(): Promise<void> {
    await this.#reporting.stop();
    await this.report();
  }

  async #reportAll(): Promise<void> {
    await mapLimit(this.#due(), MAX_REPORTS_IN_FLIGHT, (report) => this.#send(report));
  }

  #due(): Report[] {
    const due: Report[] = [];
    const lastReports = new Map<string, LastReport>();
    for (const bidder of this.#options.bidders.all()) {
      const { id: dspId, healthResets: resets } = bidder.dsp;
      const { sighting, lastBidAtMs } = this.#readHealth(bidder);
      const before = this.#lastReports.get(dspId);
      if (isDue(sighting, before)) {
        due.push({ dspId, resets, sighting, lastBidAtMs });
        lastReports.set(dspId, { sighting, reportsAgo: 0 });
      } else if (before) {
        before.reportsAgo++;
        lastReports.set(dspId, before);
      }
    }
    this.#lastReports = lastReports;
    return due;
  }

  #readHealth(bidder: Bidder): { sighting: EdgeHealthReport; lastBidAtMs: number | null } {
    const { latencyMs, lastBidAtMs, connectionProblem, ...counts } = bidder.takeFigures();
    const latencyMicros = Math.round(latencyMs * 1000);
    const sighting = {
      region: this.#options.region,
      breaker: bidder.breakerState(),
      ...counts,
      latencyMicros,
      ...(connectionProblem !== null && { connectionProblem }),
    };
    return { sighting, lastBidAtMs };
  }

  async #send({ dspId, resets, sighting, lastBidAtMs }: Report): Promise<void> {
    const { messenger, edge } = this.#options;
    try {
      await messenger.tell(bidderHealth, dspId, 'report', { edge, resets, sighting, lastBidAtMs });
    } catch {
      // The next report repeats this one and more, whether this one arrives or not.
      const lastReport = this.#lastReports.get(dspId);
      if (lastReport) lastReport.reportsAgo = HEARTBEAT_EVERY_REPORTS;
    }
  }
}

function isDue(now: EdgeHealthReport, lastReport: LastReport | undefined): boolean {
  const saysSomething = now.calls > 0 || now.callsPerSecond > 0 || now.breaker !== 'closed';
  if (lastReport === undefined) return saysSomething;
  const { sighting: before, reportsAgo } = lastReport;
  if (now.callsPerSecond > 0 || before.callsPerSecond > 0 || now.breaker !== before.breaker) return true;
  // When the last calls have left the window of five minutes, that is reported too.
  return (saysSomething || before.calls > 0) && reportsAgo + 1 >= HEARTBEAT_EVERY_REPORTS;
}

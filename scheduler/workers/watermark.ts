import { LEDGER_WATERMARK_ID, watermark } from '../../actors/watermark/watermark.ts';
import { pause } from '../../async/pause.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import type { StoreToken } from '../../runtime/ports/store-token.ts';
import type { BackgroundWorker } from '../background-worker.ts';
import { BudgetSettlement } from '../watermark/budget-settlement.ts';
import type { RegionsThrough } from '../watermark/regions-through.ts';
import type { WatermarkMetrics } from '../watermark/watermark-metrics.ts';

/** The result of a passed log barrier; see runtime/node/log-barrier.ts. */
interface BarrierResult {
  readonly throughMs: number;
  readonly latestMs: number;
  readonly token: StoreToken;
  readonly appended: number;
}

export type PassBarrier = (
  signal: AbortSignal,
  onWaiting: (waiting: readonly { readonly partition: number }[]) => void,
) => Promise<BarrierResult>;

export interface WatermarkWorkerDeps {
  readonly messenger: Messenger;
  readonly store: StateStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: WatermarkMetrics;
  readonly passBarrier: PassBarrier;
  /** Reads to when regions with logs of their own are drained; absent where there can be none. */
  readonly regionsThrough?: () => Promise<RegionsThrough>;
  /** The longest time after its sale at which an impression may be billed, over all edges, ms. */
  readonly renderWindowMs: number;
  /** The pause between two barriers, ms. */
  readonly everyMs?: number;
}

const EVERY_MS = 2_000;
/**
 * While the log is quiet, the watermark is raised at most once in this many ms, since each rise is written to the
 * store.
 */
const QUIET_EVERY_MS = 10_000;
/**
 * The log is quiet when a pass appends at most this many entries. One impression causes more: its own entry and
 * messages to at least three ledgers.
 */
const QUIET_ENTRIES = 3;
/** Books that lag by more than this many ms are reported, and again after as many ms. */
const LATE_MS = 60_000;

/**
 * Raises the watermark of the books, and settles budgets up to it. A failed round is repeated after two seconds; what
 * matters is how far the watermark has come, not how often a round runs.
 */
export function watermarkWorker(deps: WatermarkWorkerDeps): BackgroundWorker {
  return {
    name: 'books',
    purpose: 'Finds how far the ledgers are complete, and frees what of budgets was leased and not spent.',
    start() {
      const stop = new AbortController();
      const ended = new WatermarkLoop(deps, stop.signal).run();
      return {
        async close() {
          stop.abort(new Error('the duty ends'));
          await ended;
        },
      };
    },
  };
}

class WatermarkLoop {
  readonly #deps: WatermarkWorkerDeps;
  readonly #signal: AbortSignal;
  readonly #budgetSettlement: BudgetSettlement;
  /**
   * The monotonic instant at which the last passed barrier was begun: the ledgers may lack what came to the log later.
   */
  #completeAtMs: number;
  #complainedAtMs: number;
  #raisedAtMs = Number.NEGATIVE_INFINITY;
  #raisedThroughMs = 0;
  #appended = 0;
  #settlement: Promise<void> | null = null;

  constructor(deps: WatermarkWorkerDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
    this.#budgetSettlement = new BudgetSettlement(deps);
    this.#completeAtMs = deps.clock.monotonic();
    this.#complainedAtMs = this.#completeAtMs;
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(): Promise<void> {
    const { clock, metrics, everyMs = EVERY_MS } = this.#deps;
    metrics.measure(() => clock.monotonic() - this.#completeAtMs);
    while (!this.#signal.aborted) {
      await this.#round().catch((error) => this.#failed(error));
      await pause(clock, everyMs, this.#signal);
    }
    await this.#settlement;
    metrics.measure(null);
  }

  async #round(): Promise<void> {
    const { clock, passBarrier } = this.#deps;
    const beganAtMs = clock.monotonic();
    // What had come from the regions before the barrier is in the ledgers behind it.
    const { regionsThrough } = this.#deps;
    const isDue = regionsThrough === undefined || this.#budgetSettlement.isDue(this.#raisedThroughMs);
    const regions = isDue ? await regionsThrough?.() : undefined;
    const passed = await passBarrier(this.#signal, (waiting) => this.#complain(waiting));
    this.#completeAtMs = beganAtMs;
    const quiet = passed.appended - this.#appended <= QUIET_ENTRIES;
    this.#appended = passed.appended;
    if (!quiet || beganAtMs - this.#raisedAtMs >= QUIET_EVERY_MS) await this.#raise(passed);
    // Budgets are settled no further than the saved watermark, because the opening of a budget goes by that. The
    // watermark does not wait for the settlement.
    const settledThroughMs = Math.min(passed.throughMs, this.#raisedThroughMs);
    if (!isDue) return;
    this.#settlement ??= this.#budgetSettlement
      .settleThrough({ ...passed, throughMs: settledThroughMs }, this.#signal, regions?.throughMs ?? null)
      .catch((error) => this.#failed(error))
      .finally(() => {
        this.#settlement = null;
      });
  }

  async #raise({ throughMs, token }: BarrierResult): Promise<void> {
    const { messenger, clock, logger } = this.#deps;
    if (throughMs < this.#raisedThroughMs) {
      const backMs = this.#raisedThroughMs - throughMs;
      logger.error(
        { backMs },
        'the clock of the log was set back: until it has caught up the ledgers may be incomplete',
      );
    }
    const reply = await messenger.ask(watermark, LEDGER_WATERMARK_ID, 'raise', { throughMs, token });
    this.#raisedThroughMs = reply.throughMs;
    this.#raisedAtMs = clock.monotonic();
  }

  #complain(waiting: readonly { readonly partition: number }[]): void {
    const nowMs = this.#deps.clock.monotonic();
    if (nowMs - this.#completeAtMs < LATE_MS || nowMs - this.#complainedAtMs < LATE_MS) return;
    this.#complainedAtMs = nowMs;
    const behindMs = Math.round(nowMs - this.#completeAtMs);
    const partitions = waiting.map(({ partition }) => partition);
    this.#deps.logger.warn({ behindMs, partitions }, 'the ledgers are behind: these partitions have not been covered');
  }

  #failed(error: unknown): void {
    if (this.#signal.aborted) return;
    this.#deps.logger.warn({ err: error }, 'the watermark could not be raised: trying again');
  }
}

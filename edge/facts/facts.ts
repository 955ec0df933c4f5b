import type { facts } from '../../actors/facts/facts.ts';
import { ledger } from '../../actors/ledger/ledger.ts';
import { hourLedgerId } from '../../actors/ledger/ledger-id.ts';
import { mapLimit } from '../../async/map-limit.ts';
import { LogUnavailable, Overloaded } from '../../runtime/actor/errors.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { ProjectionChange, Replica } from '../../runtime/actor/replica.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { asFactCounts } from './counted.ts';
import type { CampaignFacts, DspFacts, PlatformFacts, PublisherFacts } from './counters.ts';
import { type AccountOf, FactCounters, type FactObserver, type LedgerUpdate } from './fact-counters.ts';
import { LEAST_UPDATES_PER_FLUSH } from './flush-policy.ts';
import type { PoolEvaluations } from './pool-evaluations.ts';

const FLUSH_EVERY_MS = 1_000;
/** Upper bound of messages under way at once: a slow log delays the next flush and does not fill the memory. */
const TELLS_AT_ONCE = 64;

/** The kind of documents that counts go to: ledgers, or their own where they have a log of their own. */
export type FactsKind = typeof ledger | typeof facts;

export interface FactsOptions {
  /** The way to the actors of {@link kind}. */
  readonly messenger: Pick<Messenger, 'tell'>;
  /** Default: ledgers. */
  readonly kind?: FactsKind;
  /** Upper bound of messages under way at once. Default 64. */
  readonly tellsAtOnce?: number;
  /**
   * Whether the counts of one source are flushed in the same seconds as at other edges, so that they can be summed soon
   * (flush-phase.ts). Default: the oldest are flushed first.
   */
  readonly inPhase?: boolean;
  /**
   * Projections of publishers and DSPs: their accounts and sandbox generations decide to which ledgers their counts go.
   */
  readonly replica: Replica;
  readonly clock: Clock;
  /** This edge's region. */
  readonly region: string;
  /** Receives all that is counted, live or sandbox, each second. */
  readonly observe?: (sandbox: boolean) => FactObserver;
  /** Called when the log of the facts does not answer, and when it answers again. */
  readonly onLogAway?: (away: boolean) => void;
}

/**
 * This edge's counts. They are plain integers, sent to the ledgers in numbered messages: each second while they are
 * few, less often under load (flush-policy.ts). An edge that dies loses what it had not sent. A message whose outcome
 * is unknown is lost too: sending it again could count it twice. No invoice uses these figures.
 *
 * While the log does not answer, counts wait here, 2 minutes at most, and one message a second finds out whether it
 * answers again.
 *
 * When a source's sandbox is reset, its earlier counts at this edge are dropped.
 */
export class Facts {
  readonly #messenger: Pick<Messenger, 'tell'>;
  readonly #kind: FactsKind;
  readonly #tellsAtOnce: number;
  readonly #inPhase: boolean;
  /** The second of the clock that was flushed last, since the epoch. */
  #flushedS: number;
  readonly #clock: Clock;
  readonly #region: string;
  readonly #counters: { readonly live: FactCounters; readonly sandbox: FactCounters };
  readonly #unsubscribe: (() => void)[] = [];
  #cancelTimer: (() => void) | null = null;
  #flushing: Promise<void> | null = null;
  #lostTells = 0;
  #logAway = false;
  readonly #onLogAway: (away: boolean) => void;

  constructor(options: FactsOptions) {
    this.#onLogAway = options.onLogAway ?? (() => {});
    this.#messenger = options.messenger;
    this.#kind = options.kind ?? ledger;
    this.#tellsAtOnce = options.tellsAtOnce ?? TELLS_AT_ONCE;
    this.#inPhase = options.inPhase ?? false;
    this.#clock = options.clock;
    this.#flushedS = secondOf(options.clock.now());
    this.#region = options.region;
    const observe = options.observe ?? (() => () => {});
    const accountOf: AccountOf = (kind, id) => options.replica.get<{ accountId: string }>(kind, id)?.accountId ?? null;
    const nowMs = this.#clock.now();
    this.#counters = {
      live: new FactCounters(false, observe(false), accountOf, nowMs),
      sandbox: new FactCounters(true, observe(true), accountOf, nowMs),
    };
    for (const kind of ['publisher', 'dsp'] as const) {
      this.#unsubscribe.push(options.replica.subscribe(kind, (change) => this.#follow(kind, change)));
    }
  }

  /** The counters of one publisher. It is the same object for as long as there are counts. */
  publisher(id: string, sandbox: boolean): PublisherFacts {
    return this.#of(sandbox).publisher(id);
  }

  /** The counters of one DSP. It is the same object for as long as there are counts. */
  dsp(id: string, sandbox: boolean): DspFacts {
    return this.#of(sandbox).dsp(id);
  }

  /** The counters of one delegate's campaign. The object is valid until the next flush and must not be held longer. */
  campaign(id: string, dspId: string, sandbox: boolean): CampaignFacts {
    return this.#of(sandbox).campaign(id, dspId);
  }

  /**
   * The evaluations of delegates that are evaluated together, by the array of their ids itself. The object is valid
   * until the next flush and must not be held longer.
   */
  evaluations(delegateIds: readonly string[], sandbox: boolean): PoolEvaluations {
    return this.#of(sandbox).evaluations(delegateIds);
  }

  /** The counters for what belongs to no known publisher. */
  platform(sandbox: boolean): PlatformFacts {
    return this.#of(sandbox).platform;
  }

  /** Number of messages that may not have arrived. */
  get lostTells(): number {
    return this.#lostTells;
  }

  /** Number of updates that were dropped, because the log did not answer for 2 minutes. */
  get dropped(): number {
    return this.#counters.live.dropped + this.#counters.sandbox.dropped;
  }

  /** Number of ledgers that counts wait for. */
  get waiting(): number {
    return this.#counters.live.waiting + this.#counters.sandbox.waiting;
  }

  /** Whether the log did not answer the last message. */
  get logAway(): boolean {
    return this.#logAway;
  }

  start(): void {
    this.#cancelTimer = this.#clock.after(FLUSH_EVERY_MS, () => {
      void this.#flush(false).finally(() => {
        if (this.#cancelTimer) this.start();
      });
    });
  }

  /** Sends the counts; never rejects. */
  flush(): Promise<void> {
    return this.#flush(true);
  }

  #flush(everything: boolean): Promise<void> {
    this.#flushing ??= this.#tellAll(everything).finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  /** Stops the timer and sends the last counts. */
  async close(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    await this.#flushing;
    await this.flush();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #follow(kind: 'publisher' | 'dsp', { id, projection: source }: ProjectionChange): void {
    const { sandboxGeneration = 0 } = (source ?? {}) as { sandboxGeneration?: number };
    this.#counters.sandbox.follow(kind, id, sandboxGeneration);
  }

  #of(sandbox: boolean): FactCounters {
    return sandbox ? this.#counters.sandbox : this.#counters.live;
  }

  async #tellAll(everything: boolean): Promise<void> {
    const { live, sandbox } = this.#counters;
    const nowMs = this.#clock.now();
    for (const counters of [live, sandbox]) counters.collect(nowMs);
    if (this.#logAway && !(await this.#answersAgain())) return;
    const updates = this.#inPhase && !everything ? this.#takeInPhase(nowMs) : this.#takeOldest(everything, nowMs);
    await mapLimit(updates, this.#tellsAtOnce, (update) => this.#tell(update));
  }

  #takeOldest(everything: boolean, nowMs: number): LedgerUpdate[] {
    const { live, sandbox } = this.#counters;
    const most = everything ? Number.POSITIVE_INFINITY : LEAST_UPDATES_PER_FLUSH;
    const updates = live.take(most, nowMs);
    updates.push(...sandbox.take(everything ? most : Math.max(0, most - updates.length), nowMs));
    return updates;
  }

  #takeInPhase(nowMs: number): LedgerUpdate[] {
    const seconds = { afterS: this.#flushedS, upToS: secondOf(nowMs) };
    this.#flushedS = seconds.upToS;
    return [this.#counters.live, this.#counters.sandbox].flatMap((counters) => counters.takeInPhase(seconds));
  }

  async #answersAgain(): Promise<boolean> {
    const oldest = this.#counters.live.takeOldest() ?? this.#counters.sandbox.takeOldest();
    if (oldest === undefined) return true;
    this.#setLogAway(false);
    await this.#tell(oldest);
    return !this.#logAway;
  }

  #setLogAway(away: boolean): void {
    if (away === this.#logAway) return;
    this.#logAway = away;
    this.#onLogAway(away);
  }

  async #tell(update: LedgerUpdate): Promise<void> {
    const { scope, sourceId, counters, generation, minutes } = update;
    for (const [minuteMs, counted] of minutes) {
      // What does not get an answer now is lost: it waits for the log instead.
      if (this.#logAway) return counters.putBack({ ...update, sinceMs: Math.max(update.sinceMs, minuteMs) });
      const id = hourLedgerId(scope, sourceId, minuteMs, counters.sandbox, generation);
      try {
        await this.#messenger.tell(this.#kind, id, 'facts', asFactCounts(counted, minuteMs, this.#region));
      } catch (error) {
        // Only counts that were certainly not sent may be sent again.
        if (error instanceof Overloaded) return counters.putBack(update);
        this.#lostTells += 1;
        if (error instanceof LogUnavailable) this.#setLogAway(true);
      }
      minutes.delete(minuteMs);
    }
  }
}

function secondOf(atMs: number): number {
  return Math.floor(atMs / 1_000);
}

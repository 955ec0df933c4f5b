import { ledger } from '../../actors/ledger/ledger.ts';
import { hourLedgerId } from '../../actors/ledger/ledger-id.ts';
import { mapLimit } from '../../async/map-limit.ts';
import { Overloaded } from '../../runtime/actor/errors.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { ProjectionChange, Replica } from '../../runtime/actor/replica.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { asFactCounts, emptyDelta } from './counted.ts';
import type { CampaignFacts, DspFacts, PlatformFacts, PublisherFacts } from './counters.ts';
import { type AccountOf, FactCounters, type FactObserver, type LedgerUpdate } from './fact-counters.ts';
import type { PoolEvaluations } from './pool-evaluations.ts';

const FLUSH_EVERY_MS = 1_000;
const MINUTE_MS = 60_000;
/** Upper bound of messages under way at once: a slow log delays the next flush and does not fill the memory. */
const TELLS_AT_ONCE = 64;

export interface FactsOptions {
  readonly messenger: Messenger;
  /**
   * Projections of publishers and DSPs: their accounts and sandbox generations decide to which ledgers their counts go.
   */
  readonly replica: Replica;
  readonly clock: Clock;
  /** This edge's region. */
  readonly region: string;
  /** Receives all that is counted, live or sandbox, at each flush. */
  readonly observe?: (sandbox: boolean) => FactObserver;
}

/**
 * This edge's counts. They are plain integers, sent to the ledgers once a second in numbered messages. An edge that
 * dies loses what it had not sent (one second's counts). A message whose outcome is unknown is lost too: sending it
 * again could count it twice. No invoice uses these figures. Only sales without a lease are sent again all the same:
 * they are an upper bound for a limit that is set later.
 *
 * When a source's sandbox is reset, its earlier counts at this edge are dropped.
 */
export class Facts {
  readonly #messenger: Messenger;
  readonly #clock: Clock;
  readonly #region: string;
  readonly #counters: { readonly live: FactCounters; readonly sandbox: FactCounters };
  readonly #unsubscribe: (() => void)[] = [];
  #cancelTimer: (() => void) | null = null;
  #flushing: Promise<void> | null = null;
  #lostTells = 0;

  constructor(options: FactsOptions) {
    this.#messenger = options.messenger;
    this.#clock = options.clock;
    this.#region = options.region;
    const observe = options.observe ?? (() => () => {});
    const accountOf: AccountOf = (kind, id) => options.replica.get<{ accountId: string }>(kind, id)?.accountId ?? null;
    this.#counters = {
      live: new FactCounters(false, observe(false), accountOf),
      sandbox: new FactCounters(true, observe(true), accountOf),
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
    const nowMs = this.#clock.now();
    const updates = [...this.#counters.live.take(everything), ...this.#counters.sandbox.take(everything)];
    await mapLimit(updates, TELLS_AT_ONCE, (parcel) => this.#tell(parcel, nowMs));
  }

  async #tell(parcel: LedgerUpdate, nowMs: number): Promise<void> {
    const id = hourLedgerId(parcel.scope, parcel.sourceId, nowMs, parcel.counters.sandbox, parcel.generation);
    const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
    try {
      await this.#messenger.tell(ledger, id, 'facts', asFactCounts(parcel.counted, minuteMs, this.#region));
    } catch (error) {
      // Only counts that were certainly not sent may be sent again.
      if (error instanceof Overloaded) parcel.counters.putBack(parcel);
      else {
        this.#lostTells += 1;
        // For sales without a lease, too high a sum is harmless and too low a sum is not.
        const { unleased } = parcel.counted;
        if (unleased.size > 0) parcel.counters.putBack({ ...parcel, counted: { ...emptyDelta(), unleased } });
      }
    }
  }
}

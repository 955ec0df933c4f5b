import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { AuctionBidders, BidderReply, OutgoingRequest } from '../../edge/auction/bidders.ts';
import type { ProjectionChange, Replica } from '../../runtime/actor/replica.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { Bidder } from './bidder.ts';
import type { CallObserver } from './call-observer.ts';
import { askBidders } from './fan-out.ts';
import type { BidderSettings } from './settings.ts';

const NONE: readonly Bidder[] = [];

/** All bidders that may be called, indexed by the pools that they take traffic from. Follows the replica. */
export class Bidders implements AuctionBidders {
  readonly #settings: BidderSettings;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #calls: CallObserver | undefined;
  readonly #byDsp = new Map<string, Bidder>();
  /** `<status>:<pool id>` → bidders. The arrays are replaced, never changed: an auction may be iterating over one. */
  readonly #byPool = new Map<string, readonly Bidder[]>();
  readonly #unsubscribe: () => void;

  /** `random`: uniform in [0, 1). */
  constructor(
    replica: Replica,
    settings: BidderSettings,
    clock: Clock,
    random: () => number = Math.random,
    calls?: CallObserver,
  ) {
    this.#settings = settings;
    this.#clock = clock;
    this.#random = random;
    this.#calls = calls;
    this.#unsubscribe = replica.subscribe('dsp', (change) => this.#follow(change as ProjectionChange<DspProjection>));
  }

  /** The candidates for one pool's traffic: sandbox DSPs for sandbox requests, active DSPs for live ones. */
  inPool(poolId: string, sandbox: boolean): readonly Bidder[] {
    return this.#byPool.get(`${sandbox ? 'sandbox' : 'active'}:${poolId}`) ?? NONE;
  }

  get(dspId: string): Bidder | undefined {
    return this.#byDsp.get(dspId);
  }

  ask(bidders: readonly Bidder[], request: OutgoingRequest, timeoutMs: number): Promise<readonly BidderReply[]> {
    return askBidders(bidders, request, timeoutMs, this.#clock);
  }

  all(): Iterable<Bidder> {
    return this.#byDsp.values();
  }

  close(): void {
    this.#unsubscribe();
    this.#byPool.clear();
    for (const bidder of this.#byDsp.values()) bidder.close();
    this.#byDsp.clear();
  }

  #follow({ id, projection: view }: ProjectionChange<DspProjection>): void {
    const known = this.#byDsp.get(id);
    if (known) this.#unlist(known);
    if (view === null || view.mode !== 'rtb' || view.status === 'archived') {
      this.#byDsp.delete(id);
      // Auctions under way may still await its calls, which end by the auctions' deadline.
      if (known) this.#clock.after(this.#settings.maxTimeoutMs, () => known.close());
      return;
    }
    const bidder = known ?? new Bidder(view, this.#settings, this.#clock, this.#random, this.#calls);
    if (known) known.update(view);
    else this.#byDsp.set(id, bidder);
    for (const poolId of view.poolIds) {
      const key = `${view.status}:${poolId}`;
      this.#byPool.set(key, [...(this.#byPool.get(key) ?? NONE), bidder]);
    }
  }

  #unlist(bidder: Bidder): void {
    for (const poolId of bidder.dsp.poolIds) {
      const key = `${bidder.dsp.status}:${poolId}`;
      const left = (this.#byPool.get(key) ?? NONE).filter((other) => other !== bidder);
      if (left.length === 0) this.#byPool.delete(key);
      else this.#byPool.set(key, left);
    }
  }
}

import type { DspView } from '../../../actors/dsp/view.ts';
import type { Replica, ViewChange } from '../../../runtime/actor/replica.ts';

/** Where a demand source's campaigns bid. */
export type Environment = 'live' | 'sandbox';

export interface SourceListener {
  /** Something about a demand source is other than before. */
  changed(): void;
  /** The environment of a delegate's campaigns is. */
  moved(dspId: string): void;
}

const NONE: ReadonlyMap<string, DspView> = new Map();

/** Every delegate that may bid, by the pools it takes traffic from. Follows the replica. */
export class DelegateSources {
  readonly #views = new Map<string, DspView>();
  /** `<environment>:<pool id>` → delegates by id. */
  readonly #byPool = new Map<string, Map<string, DspView>>();
  readonly #hears: SourceListener;
  readonly close: () => void;

  constructor(replica: Replica, hears: SourceListener) {
    this.#hears = hears;
    this.close = replica.subscribe('dsp', (change) => this.#follow(change as ViewChange<DspView>));
  }

  /** Null for what is archived, no delegate, or not known. */
  environmentOf(dspId: string): Environment | null {
    const view = this.#views.get(dspId);
    return view === undefined ? null : environmentOf(view);
  }

  /** The delegates that take a pool's traffic: sandbox demand for sandbox requests, active demand for live ones. */
  inPool(poolId: string, sandbox: boolean): ReadonlyMap<string, DspView> {
    return this.#byPool.get(`${sandbox ? 'sandbox' : 'live'}:${poolId}`) ?? NONE;
  }

  #follow({ id, view }: ViewChange<DspView>): void {
    const before = this.environmentOf(id);
    const known = this.#views.get(id);
    if (known) this.#unlist(known, environmentOf(known));
    const environment = view === null || view.mode !== 'delegate' ? null : environmentOf(view);
    if (view === null || environment === null) this.#views.delete(id);
    else {
      this.#views.set(id, view);
      this.#list(view, environment);
    }
    this.#hears.changed();
    if (before !== environment) this.#hears.moved(id);
  }

  #list(view: DspView, environment: Environment): void {
    for (const poolId of view.poolIds) {
      const key = `${environment}:${poolId}`;
      const inPool = this.#byPool.get(key);
      if (inPool) inPool.set(view.id, view);
      else this.#byPool.set(key, new Map([[view.id, view]]));
    }
  }

  #unlist(view: DspView, environment: Environment | null): void {
    for (const poolId of view.poolIds) {
      const key = `${environment}:${poolId}`;
      const inPool = this.#byPool.get(key);
      inPool?.delete(view.id);
      if (inPool?.size === 0) this.#byPool.delete(key);
    }
  }
}

function environmentOf({ status }: DspView): Environment | null {
  if (status === 'archived') return null;
  return status === 'sandbox' ? 'sandbox' : 'live';
}

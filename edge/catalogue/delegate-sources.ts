import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { ProjectionChange, Replica } from '../../runtime/actor/replica.ts';

/** The environment in which a DSP's campaigns bid. */
export type Environment = 'live' | 'sandbox';

export interface SourceListener {
  /** Called when anything about a DSP has changed. */
  onChanged(): void;
  /** Called when the environment of a delegate's campaigns has changed. */
  onEnvironmentChanged(dspId: string): void;
}

const NONE: ReadonlyMap<string, DspProjection> = new Map();

/** All delegates that may bid, by the pools that they take traffic from. Follows the replica. */
export class DelegateSources {
  readonly #views = new Map<string, DspProjection>();
  /** Delegates by pool id, then by DSP id. */
  readonly #byPool: Readonly<Record<Environment, Map<string, Map<string, DspProjection>>>> = {
    live: new Map(),
    sandbox: new Map(),
  };
  readonly #hears: SourceListener;
  readonly close: () => void;

  constructor(replica: Replica, hears: SourceListener) {
    this.#hears = hears;
    this.close = replica.subscribe('dsp', (change) => this.#follow(change as ProjectionChange<DspProjection>));
  }

  /** Null for a DSP that is archived, no delegate, or unknown. */
  environmentOf(dspId: string): Environment | null {
    const view = this.#views.get(dspId);
    return view === undefined ? null : environmentOf(view);
  }

  /** The delegates that take a pool's traffic: sandbox DSPs for sandbox requests, active DSPs for live ones. */
  inPool(poolId: string, sandbox: boolean): ReadonlyMap<string, DspProjection> {
    return this.#byPool[sandbox ? 'sandbox' : 'live'].get(poolId) ?? NONE;
  }

  #follow({ id, projection: view }: ProjectionChange<DspProjection>): void {
    const before = this.environmentOf(id);
    const known = this.#views.get(id);
    if (known) this.#unlist(known, environmentOf(known));
    const environment = view === null || view.mode !== 'delegate' ? null : environmentOf(view);
    if (view === null || environment === null) this.#views.delete(id);
    else {
      this.#views.set(id, view);
      this.#list(view, environment);
    }
    this.#hears.onChanged();
    if (before !== environment) this.#hears.onEnvironmentChanged(id);
  }

  #list(view: DspProjection, environment: Environment): void {
    const byPool = this.#byPool[environment];
    for (const poolId of view.poolIds) {
      const inPool = byPool.get(poolId);
      if (inPool) inPool.set(view.id, view);
      else byPool.set(poolId, new Map([[view.id, view]]));
    }
  }

  #unlist(view: DspProjection, environment: Environment | null): void {
    if (environment === null) return;
    const byPool = this.#byPool[environment];
    for (const poolId of view.poolIds) {
      const inPool = byPool.get(poolId);
      inPool?.delete(view.id);
      if (inPool?.size === 0) byPool.delete(poolId);
    }
  }
}

function environmentOf({ status }: DspProjection): Environment | null {
  if (status === 'archived') return null;
  return status === 'sandbox' ? 'sandbox' : 'live';
}

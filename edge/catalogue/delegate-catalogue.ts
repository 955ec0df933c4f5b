import { LRUCache } from 'lru-cache';
import type { AssetProjection } from '../../actors/asset/projection.ts';
import type { CampaignProjection } from '../../actors/campaign/projection.ts';
import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { BiddingCampaign } from '../../exchange/strategy/bidding-campaign.ts';
import { CampaignIndex } from '../../exchange/strategy/index/campaign-index.ts';
import type { Match } from '../../exchange/strategy/index/match.ts';
import type { TargetingContext } from '../../exchange/strategy/read-field.ts';
import type { Replica } from '../../runtime/actor/replica.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { DelegateSources } from './delegate-sources.ts';
import { AssetCatalogue } from './kept-assets.ts';
import { biddingCampaign, type CatalogueCampaign, toCatalogueCampaign } from './kept-campaign.ts';
import { UnpackedCampaign } from './presented-campaign.ts';
import { TimeSlicer } from './slices.ts';

/** Few campaigns make most bids. */
const PRESENTED_LATELY = 4_000;
const POOLS_LATELY = 1_000;

/**
 * Every campaign and asset that this edge knows: compiled into an index for each environment, the rest as text. Follows the
 * catalogue from before the node starts, in slices, so that neither a start with 100,000 campaigns nor a strategy with 2,000
 * holds up an auction.
 */
export class DelegateCatalogue {
  readonly assets = new AssetCatalogue();
  readonly #indexes = { live: new CampaignIndex(), sandbox: new CampaignIndex() };
  readonly #campaigns = new Map<string, CatalogueCampaign>();
  /** How many campaigns a demand source has. */
  readonly #counts = new Map<string, number>();
  /** What `inPool` has answered since one of the demand sources changed. */
  readonly #inPools = {
    live: new LRUCache<string, readonly DspProjection[]>({ max: POOLS_LATELY }),
    sandbox: new LRUCache<string, readonly DspProjection[]>({ max: POOLS_LATELY }),
  };
  readonly #presented = new LRUCache<string, UnpackedCampaign>({ max: PRESENTED_LATELY });
  readonly #sources: DelegateSources;
  readonly #slices: TimeSlicer;

  /** Before the replica starts. */
  constructor(replica: Replica, clock: Clock) {
    this.#slices = new TimeSlicer(clock);
    this.#sources = new DelegateSources(replica, {
      onChanged: () => this.#forgetPools(),
      onEnvironmentChanged: (dspId) => void this.#move(dspId),
    });
    replica.follow('asset', ({ id, projection: view }) => {
      this.assets.put(id, view as AssetProjection | null);
      return this.#slices.yieldIfDue();
    });
    replica.follow('campaign', ({ id, projection: view }) => {
      this.#take(id, view as CampaignProjection | null);
      return this.#slices.yieldIfDue();
    });
  }

  get size(): number {
    return this.#campaigns.size;
  }

  /** The delegates that take a pool's traffic in an environment and have a campaign at all. */
  inPool(poolId: string, sandbox: boolean): readonly DspProjection[] {
    const inPools = this.#inPools[sandbox ? 'sandbox' : 'live'];
    let views = inPools.get(poolId);
    if (views === undefined) {
      const all = this.#sources.inPool(poolId, sandbox).values();
      views = Array.from(all).filter(({ id }) => this.#counts.has(id));
      inPools.set(poolId, views);
    }
    return views;
  }

  /** Every campaign of a delegate of the pool that may bid on the imp; in no order. */
  match(view: TargetingContext, poolId: string, sandbox: boolean, nowMs: number): readonly Match[] {
    const admitted = this.#sources.inPool(poolId, sandbox);
    return this.#indexes[sandbox ? 'sandbox' : 'live'].match(view, nowMs, (dspId) => admitted.has(dspId));
  }

  /** Of a campaign that has matched. */
  campaign(id: string): CatalogueCampaign {
    return this.#campaigns.get(id)!;
  }

  /** Null for a campaign that is not known here (yet, or any more). */
  dspOf(campaignId: string): string | null {
    return this.#campaigns.get(campaignId)?.dspId ?? null;
  }

  presented(kept: CatalogueCampaign): UnpackedCampaign {
    let presented = this.#presented.get(kept.id);
    if (presented === undefined) {
      presented = new UnpackedCampaign(kept, this.assets);
      this.#presented.set(kept.id, presented);
    }
    return presented;
  }

  close(): void {
    this.#sources.close();
  }

  /** Throws for a document that cannot be read; the campaign then does not bid, neither as it was nor as it is. */
  #take(id: string, view: CampaignProjection | null): void {
    const before = this.#campaigns.get(id);
    this.#campaigns.delete(id);
    this.#presented.delete(id);
    if (before) this.#count(before.dspId, -1);
    try {
      if (view === null) this.#unplace(id);
      else {
        const kept = toCatalogueCampaign(view);
        this.#place(kept, view);
        this.#campaigns.set(id, kept);
        this.#count(kept.dspId, 1);
      }
    } catch (error) {
      this.#unplace(id);
      throw error;
    }
  }

  /** Into the index of its demand source's environment, and out of the other. */
  #place({ id, dspId }: CatalogueCampaign, campaign: BiddingCampaign): void {
    const environment = this.#sources.environmentOf(dspId);
    for (const name of ['live', 'sandbox'] as const) {
      if (name === environment) this.#indexes[name].put(id, dspId, campaign);
      else this.#indexes[name].remove(id);
    }
  }

  #unplace(id: string): void {
    this.#indexes.live.remove(id);
    this.#indexes.sandbox.remove(id);
  }

  /** One that cannot be read keeps no other from its place, and does not bid. */
  #replace(kept: CatalogueCampaign): void {
    try {
      this.#place(kept, biddingCampaign(kept));
    } catch {
      this.#unplace(kept.id);
    }
  }

  /**
   * Until it is through, campaigns that are not in their place yet do not bid: whom an auction admits goes by the demand
   * source. Each is placed by what is true at that moment, so that nothing hangs on who comes first.
   */
  async #move(dspId: string): Promise<void> {
    if (!this.#counts.has(dspId)) return;
    for (const kept of this.#campaigns.values()) {
      if (kept.dspId === dspId) this.#replace(kept);
      const pause = this.#slices.yieldIfDue();
      if (pause) await pause;
    }
  }

  #forgetPools(): void {
    this.#inPools.live.clear();
    this.#inPools.sandbox.clear();
  }

  #count(dspId: string, change: 1 | -1): void {
    const before = this.#counts.get(dspId) ?? 0;
    const count = before + change;
    if (before === 0 || count === 0) this.#forgetPools();
    if (count === 0) this.#counts.delete(dspId);
    else this.#counts.set(dspId, count);
  }
}

import { LRUCache } from 'lru-cache';
import type { AssetProjection } from '../../actors/asset/projection.ts';
import type { CampaignProjection } from '../../actors/campaign/fields.ts';
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

/** Upper bound of unpacked campaigns in memory: few campaigns make most bids. */
const PRESENTED_LATELY = 4_000;
const POOLS_LATELY = 1_000;

/**
 * All campaigns and assets that this edge knows: compiled into an index for each environment, the rest as text. It
 * follows the catalogue from before the node starts, in slices, so that neither a start with 100,000 campaigns nor a
 * strategy with 2,000 delays an auction.
 */
export class DelegateCatalogue {
  readonly assets = new AssetCatalogue();
  readonly #indexes = { live: new CampaignIndex(), sandbox: new CampaignIndex() };
  readonly #campaigns = new Map<string, CatalogueCampaign>();
  /** Number of campaigns by DSP id. */
  readonly #counts = new Map<string, number>();
  /** Results of `inPool` since a DSP last changed. */
  readonly #inPools = {
    live: new LRUCache<string, readonly DspProjection[]>({ max: POOLS_LATELY }),
    sandbox: new LRUCache<string, readonly DspProjection[]>({ max: POOLS_LATELY }),
  };
  readonly #presented = new LRUCache<string, UnpackedCampaign>({ max: PRESENTED_LATELY });
  readonly #sources: DelegateSources;
  readonly #slices: TimeSlicer;

  /** Must be constructed before the replica starts. */
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

  /** The delegates that take a pool's traffic in an environment and have at least one campaign. */
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

  /** All campaigns of the pool's delegates that may bid on the imp, in no order. */
  match(view: TargetingContext, poolId: string, sandbox: boolean, nowMs: number): readonly Match[] {
    const admitted = this.#sources.inPool(poolId, sandbox);
    return this.#indexes[sandbox ? 'sandbox' : 'live'].match(view, nowMs, (dspId) => admitted.has(dspId));
  }

  /** A campaign that has matched. */
  campaign(id: string): CatalogueCampaign {
    return this.#campaigns.get(id)!;
  }

  /** Null for a campaign that this edge does not know (yet, or any more). */
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

  /**
   * Throws for a document that cannot be read; the campaign then does not bid, neither with its old nor with its new
   * document.
   */
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

  /** Adds the campaign to the index of its DSP's environment, and removes it from the other. */
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

  /** A campaign that cannot be read does not bid, and does not stop others from being placed. */
  #replace(kept: CatalogueCampaign): void {
    try {
      this.#place(kept, biddingCampaign(kept));
    } catch {
      this.#unplace(kept.id);
    }
  }

  /**
   * Moves a DSP's campaigns to its environment. Until it is done, campaigns that are not placed yet do not bid: the
   * auction admits campaigns by their DSP. Each campaign is placed by the state of that moment, so that the order of
   * events does not matter.
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

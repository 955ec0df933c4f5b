import { campaignActorId } from '#actors/campaign/campaign-id';
import type { AssetCatalogue } from '#edge/catalogue/kept-assets';
import { type CatalogueCampaign, toCatalogueCampaign } from '#edge/catalogue/kept-campaign';
import { knownAdvertisersOf, type ReadyCreative, UnpackedCampaign } from '#edge/catalogue/presented-campaign';
import type { TimeSlicer } from '#edge/catalogue/slices';
import { creativeUrls } from '#exchange/creative/creative-urls';
import type { BiddingCampaign } from '#exchange/strategy/bidding-campaign';
import { creativesOf } from '#exchange/strategy/document/campaign';
import { formatOfCreative } from '#exchange/strategy/document/creative';
import { fitsShape, shapeOf } from '#exchange/strategy/fitting-creatives';
import { CampaignIndex } from '#exchange/strategy/index/campaign-index';
import type { Match } from '#exchange/strategy/index/match';
import type { TargetingContext } from '#exchange/strategy/read-field';

/** A campaign under test, in the form in which an edge keeps it. */
export interface TestedCampaign {
  readonly campaignId: string;
  readonly campaign: CatalogueCampaign;
  readonly unpacked: UnpackedCampaign;
  /** Creatives with files that were never fetched; the backtest believes what their document states about them. */
  readonly assumed: readonly ReadyCreative[];
}

/**
 * The campaigns of a strategy in an index of their own, by which they are matched as on an edge, with their creatives.
 */
export class TestedCampaigns {
  readonly #index = new CampaignIndex();
  readonly #campaigns = new Map<string, TestedCampaign>();
  readonly #dspId: string;
  readonly #assets: AssetCatalogue;

  constructor(dspId: string, assets: AssetCatalogue) {
    this.#dspId = dspId;
    this.#assets = assets;
  }

  async add(campaigns: readonly BiddingCampaign[], slices: TimeSlicer): Promise<void> {
    for (const campaign of campaigns) {
      const { campaign_id: campaignId } = campaign.campaign;
      const id = campaignActorId(this.#dspId, campaignId);
      const projection = { ...campaign, id, accountId: '', dspId: this.#dspId, limitedSinceMs: 0, revision: 0 };
      const catalogueCampaign = toCatalogueCampaign(projection);
      this.#index.put(id, this.#dspId, campaign);
      const unpackedCampaign = new UnpackedCampaign(catalogueCampaign, this.#assets);
      this.#campaigns.set(id, {
        campaignId,
        campaign: catalogueCampaign,
        unpacked: unpackedCampaign,
        assumed: this.#assumed(campaign),
      });
      const pause = slices.yieldIfDue();
      if (pause) await pause;
    }
  }

  all(): Iterable<TestedCampaign> {
    return this.#campaigns.values();
  }

  match(context: TargetingContext, atMs: number): readonly Match[] {
    return this.#index.match(context, atMs, () => true);
  }

  of({ id }: Match): TestedCampaign {
    return this.#campaigns.get(id)!;
  }

  #assumed({ campaign }: BiddingCampaign): ReadyCreative[] {
    return creativesOf(campaign).flatMap((creative) => {
      const urls = creativeUrls({ ...campaign, creatives: [creative] });
      if (urls.every(({ url }) => this.#assets.get(url) !== undefined)) return [];
      const stated = formatOfCreative(creative);
      const format = stated === 'html5' || stated === 'mraid' ? 'banner' : stated;
      const { width: w, height: h, weight } = creative;
      const sized = w !== undefined && h !== undefined && { w, h };
      const described = { format, ...sized, mimeTypes: [], linear: true, insecureUrl: null, mraid: stated === 'mraid' };
      const knownAdvertisers = knownAdvertisersOf(creative, campaign.adomain);
      return [{ creative, described, knownAdvertisers, ...(weight !== undefined && { weight }) }];
    });
  }
}

/**
 * The creatives that the campaign can show on the imp. Creatives that were never fetched are used only when no other
 * fits.
 */
export function eligibleCreativesOf(
  { unpacked: unpackedCampaign, assumed }: TestedCampaign,
  context: TargetingContext,
): readonly ReadyCreative[] {
  const fitting = unpackedCampaign.eligibleCreatives(context);
  if (fitting.length > 0 || assumed.length === 0) return fitting;
  return assumed.filter(({ creative }) => fitsShape(shapeOf(creative), context));
}

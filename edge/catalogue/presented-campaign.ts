import { advertiserDomain } from '../../exchange/auction/advertiser-domain.ts';
import { type DescribedCreative, describeCreative } from '../../exchange/creative/render/describe-creative.ts';
import { type CreativeMismatch, explainMismatch, mismatchOf } from '../../exchange/creative/render/explain-mismatch.ts';
import type { BidRequest } from '../../exchange/openrtb/bid-request.ts';
import type { Imp } from '../../exchange/openrtb/fields/imp.ts';
import { chooseCreative } from '../../exchange/strategy/choose-creative.ts';
import type { Creative } from '../../exchange/strategy/document/creative.ts';
import type { TargetingContext } from '../../exchange/strategy/read-field.ts';
import type { AssetCatalogue } from './kept-assets.ts';
import { type CampaignContent, type CatalogueCampaign, contentOf } from './kept-campaign.ts';
import type { RequestTurns } from './turns.ts';

/** A creative whose assets are present, with its description for bids. */
export interface ReadyCreative {
  readonly creative: Creative;
  readonly described: DescribedCreative;
  readonly weight?: number;
  /** See `OfferedBid`. */
  readonly knownAdvertisers?: readonly string[] | undefined;
}

/**
 * The host of a creative's landing page, which stands for its advertiser's domain where its campaign names none; a
 * campaign that left it out would pass all block lists otherwise.
 */
export function knownAdvertisersOf(
  { landing_url: landing }: Creative,
  adomain: readonly string[] | undefined,
): readonly string[] | undefined {
  if (landing === undefined || adomain?.length) return undefined;
  const host = advertiserDomain(landing);
  return host === '' ? undefined : [host];
}

/** A campaign that has bid lately: its document is parsed and its creatives are checked. */
export class UnpackedCampaign {
  readonly document: CampaignContent;
  readonly #id: string;
  readonly #assets: AssetCatalogue;
  #ready: readonly ReadyCreative[] = [];
  #readyAt = -1;

  constructor(kept: CatalogueCampaign, assets: AssetCatalogue) {
    this.#id = kept.id;
    this.document = contentOf(kept);
    this.#assets = assets;
  }

  /** The creatives that the imp can show and whose assets are present. */
  eligibleCreatives(targeting: TargetingContext): readonly ReadyCreative[] {
    const ready = this.#look();
    return ready.filter((candidate) => fits(candidate, targeting, this.#assets));
  }

  /** Why the imp can show none of the creatives, one by one, the first `most`. Called after the auction. */
  creativeMismatches(imp: Imp, device: BidRequest['device'], most: number): readonly CreativeMismatch[] {
    const misfits: CreativeMismatch[] = [];
    for (const creative of this.document.creatives) {
      if (misfits.length >= most) break;
      const misfit = explainMismatch(creative, this.#assets, imp, device);
      if (misfit !== null) misfits.push(misfit);
    }
    return misfits;
  }

  /** The creative whose turn it is; `random` is uniform in [0, 1). */
  choose(
    fitting: readonly [ReadyCreative, ...ReadyCreative[]],
    turns: RequestTurns,
    random: () => number,
  ): ReadyCreative {
    const [only] = fitting;
    if (fitting.length === 1) return only;
    const { rotation = 'weighted' } = this.document;
    if (rotation !== 'round_robin') return chooseCreative(fitting, rotation, { sequence: 0, random: random() });
    const among = fitting.map(({ creative }) => creative.creative_id);
    return chooseCreative(fitting, rotation, { sequence: turns.next(this.#id, among, random), random: 0 });
  }

  /** Checks the creatives again when an asset has changed. */
  #look(): readonly ReadyCreative[] {
    if (this.#readyAt === this.#assets.version) return this.#ready;
    this.#readyAt = this.#assets.version;
    this.#ready = this.document.creatives.flatMap((creative) => {
      const described = describeCreative(creative, this.#assets);
      if (described === null) return [];
      const { weight } = creative;
      const knownAdvertisers = knownAdvertisersOf(creative, this.document.adomain);
      return [{ creative, described, knownAdvertisers, ...(weight !== undefined && { weight }) }];
    });
    return this.#ready;
  }
}

/** Whether a creative fits the imp, by what its files were found to be. */
function fits(
  { creative, described }: ReadyCreative,
  { imp, request }: TargetingContext,
  assets: AssetCatalogue,
): boolean {
  return imp !== null && mismatchOf(creative, described, assets, imp, request.device) === null;
}

import { type DescribedCreative, describeCreative } from '../../exchange/creative/render/describe-creative.ts';
import { explainMisfit, type Misfit, misfitOf } from '../../exchange/creative/render/explain-misfit.ts';
import type { BidRequest } from '../../exchange/openrtb/bid-request.ts';
import type { Imp } from '../../exchange/openrtb/fields/imp.ts';
import { chooseCreative } from '../../exchange/strategy/choose-creative.ts';
import type { Creative } from '../../exchange/strategy/document/creative.ts';
import type { RequestView } from '../../exchange/strategy/read-field.ts';
import type { KeptAssets } from './kept-assets.ts';
import { type KeptCampaign, type Presented, presentedBy } from './kept-campaign.ts';
import type { Turns } from './turns.ts';

/** A creative whose assets are here, and what it is for a bid. */
export interface ReadyCreative {
  readonly creative: Creative;
  readonly described: DescribedCreative;
  readonly weight?: number;
}

/** A campaign that has bid lately: its document read, its creatives looked at. */
export class PresentedCampaign {
  readonly document: Presented;
  readonly #id: string;
  readonly #assets: KeptAssets;
  #ready: readonly ReadyCreative[] = [];
  #readyAt = -1;

  constructor(kept: KeptCampaign, assets: KeptAssets) {
    this.#id = kept.id;
    this.document = presentedBy(kept);
    this.#assets = assets;
  }

  /** The creatives that the imp can show and whose assets are here. */
  fitting(view: RequestView): readonly ReadyCreative[] {
    const ready = this.#look();
    return ready.filter((candidate) => fits(candidate, view, this.#assets));
  }

  /** Why the imp can show none of them, creative by creative, the first `most`; for when the auction is over. */
  misfits(imp: Imp, device: BidRequest['device'], most: number): readonly Misfit[] {
    const misfits: Misfit[] = [];
    for (const creative of this.document.creatives) {
      if (misfits.length >= most) break;
      const misfit = explainMisfit(creative, this.#assets, imp, device);
      if (misfit !== null) misfits.push(misfit);
    }
    return misfits;
  }

  /** The one whose turn it is; `random` is uniform in [0, 1). */
  choose(fitting: readonly [ReadyCreative, ...ReadyCreative[]], turns: Turns, random: () => number): ReadyCreative {
    const [only] = fitting;
    if (fitting.length === 1) return only;
    const { rotation = 'weighted' } = this.document;
    if (rotation !== 'round_robin') return chooseCreative(fitting, rotation, { sequence: 0, random: random() });
    const among = fitting.map(({ creative }) => creative.creative_id).join('\n');
    return chooseCreative(fitting, rotation, { sequence: turns.next(this.#id, among), random: 0 });
  }

  /** Looked at anew when an asset has changed. */
  #look(): readonly ReadyCreative[] {
    if (this.#readyAt === this.#assets.version) return this.#ready;
    this.#readyAt = this.#assets.version;
    this.#ready = this.document.creatives.flatMap((creative) => {
      const described = describeCreative(creative, this.#assets);
      if (described === null) return [];
      const { weight } = creative;
      return [weight === undefined ? { creative, described } : { creative, described, weight }];
    });
    return this.#ready;
  }
}

/** By what the creative's files were found to be. */
function fits({ creative, described }: ReadyCreative, { imp, request }: RequestView, assets: KeptAssets): boolean {
  return imp !== null && misfitOf(creative, described, assets, imp, request.device) === null;
}

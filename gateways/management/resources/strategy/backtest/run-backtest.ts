import { asset } from '#actors/asset/asset';
import { assetId } from '#actors/asset/asset-id';
import { AssetCatalogue } from '#edge/catalogue/kept-assets';
import { TimeSlicer } from '#edge/catalogue/slices';
import { creativeUrls } from '#exchange/creative/creative-urls';
import type { BiddingCampaign } from '#exchange/strategy/bidding-campaign';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '#gateways/management/deps';
import { assumptionsOf } from './assumptions.ts';
import { AuctionReplay } from './auction-replay.ts';
import { type AuctionSelection, RecordedAuctions } from './recorded-auctions.ts';
import { type BacktestResult, showBacktest } from './result.ts';
import { TestedCampaigns } from './tested-campaigns.ts';

/**
 * The largest number of auctions of one backtest. More would occupy the store and this process for too long; a caller
 * can ask for shorter periods.
 */
export const MOST_AUCTIONS = 20_000;
const LONGEST_MS = 20_000;
const ASSETS_AT_ONCE = 500;

export interface BacktestContext extends AuctionSelection {
  readonly dspId: string;
  /** The demand source's daily budget; 0: none. */
  readonly dspDailyCents: number;
  readonly campaigns: readonly BiddingCampaign[];
}

/**
 * Runs a backtest, which reads and changes nothing. It works in slices, between which other work runs. VALIDATION_ERROR
 * for a period with more than {@link MOST_AUCTIONS} recorded auctions, SERVICE_UNAVAILABLE when it takes too long.
 */
export async function runBacktest(deps: ManagementDeps, context: BacktestContext): Promise<BacktestResult> {
  const { clock } = deps;
  const { dspId, campaigns, fromMs, toMs } = context;
  const auctions = await RecordedAuctions.find(deps, context);
  const found = await auctions.count();
  if (found > MOST_AUCTIONS) {
    const message = `The period holds ${found} recorded auctions, more than ${MOST_AUCTIONS}: ask for a shorter one.`;
    throw new ApiError('VALIDATION_ERROR', message, 'from');
  }
  const endsAtMs = clock.monotonic() + LONGEST_MS;
  const slices = new TimeSlicer(clock);
  const tested = new TestedCampaigns(dspId, await knownAssets(deps, campaigns));
  await tested.add(campaigns, slices);
  const replay = new AuctionReplay(dspId, context.dspDailyCents, tested);
  let unreplayable = 0;
  for await (const { id, record } of auctions.read()) {
    if (record.replayable === null) {
      unreplayable += 1;
      continue;
    }
    for (const _ of replay.replay(id, record, record.replayable)) {
      const pause = slices.yieldIfDue();
      if (pause === undefined) continue;
      await pause;
      if (clock.monotonic() > endsAtMs) {
        throw new ApiError('SERVICE_UNAVAILABLE', 'The backtest took too long: ask for a shorter period.');
      }
    }
  }
  return showBacktest({
    dspId,
    fromMs,
    toMs,
    // More auctions may have been recorded since the count.
    recorded: replay.auctions + unreplayable,
    replay,
    campaignIds: campaigns.map(({ campaign }) => campaign.campaign_id),
    assumptions: assumptionsOf(campaigns, tested, unreplayable),
  });
}

/** The assets of the creatives' files that the exchange already hosts. */
async function knownAssets({ store }: ManagementDeps, campaigns: readonly BiddingCampaign[]): Promise<AssetCatalogue> {
  const ids = [...new Set(campaigns.flatMap(({ campaign }) => creativeUrls(campaign).map(({ url }) => assetId(url))))];
  const assets = new AssetCatalogue();
  for (let at = 0; at < ids.length; at += ASSETS_AT_ONCE) {
    const keys = ids.slice(at, at + ASSETS_AT_ONCE).map((id) => ({ kind: asset.kind, id }));
    for (const document of await store.load(keys)) {
      if (!document || document.deleted) continue;
      assets.put(document.id, asset.projection!(document.state as never, document.id));
    }
  }
  return assets;
}

import { type BiddingCampaign, campaignsOfStrategy } from '#exchange/strategy/bidding-campaign';
import type { Strategy } from '#exchange/strategy/document/strategy';
import { strategyFaults } from '#exchange/strategy/validate/strategy';
import type { ManagementDeps } from '../../deps.ts';
import { loadBiddingCampaigns } from '../campaigns/delegate.ts';
import { faultsError } from '../campaigns/faults.ts';
import { campaignIdsOfApi } from './campaign-ids-of-api.ts';

/**
 * Reads the campaigns of a strategy that is tried before its upload, under the checks of an upload; when none is given,
 * loads the delegate's present campaigns. STRATEGY_INVALID lists every fault, below `strategy`.
 */
export async function readTrialCampaigns(
  deps: ManagementDeps,
  dspId: string,
  strategy: unknown,
): Promise<readonly BiddingCampaign[]> {
  if (strategy === undefined) return loadBiddingCampaigns(deps, dspId);
  const faults = strategyFaults(strategy, {
    dspId,
    httpsOnly: deps.settings.httpsCreativesOnly,
    takenCampaignIds: await campaignIdsOfApi(deps, dspId),
  });
  const [first, ...more] = faults.map(({ path, message }) => ({
    path: path === '' ? 'strategy' : `strategy.${path}`,
    message,
  }));
  if (first !== undefined) throw faultsError('STRATEGY_INVALID', [first, ...more]);
  return campaignsOfStrategy(strategy as Strategy);
}

import type { AuctionContext } from '#edge/auction-context';
import { UNLIMITED_BUDGETS } from '#edge/budgets/edge-budgets';
import { DelegateCatalogue } from '#edge/catalogue/delegate-catalogue';
import { DelegateDemand, type DelegateOffers } from '#edge/delegates/delegate-demand';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import type { Bid } from '#exchange/openrtb/bid-response';
import { systemClock } from '#runtime/providers/system/system-clock';
import { InMemoryFrequencyCaps, ManualPace } from '../../support/campaign-limits.ts';
import { type CampaignFields, makeCampaignProjection } from '../../support/campaign-projection.ts';
import { makeDspProjection } from '../../support/dsp-projection.ts';
import { MemoryReplica } from '../../support/memory-replica.ts';

const IMP = { id: '1', banner: { w: 300, h: 250 } };

/** Delegates of one pool, asked without an edge around them. */
export class AskedDelegates {
  readonly replica = new MemoryReplica();
  readonly catalogue = new DelegateCatalogue(this.replica, systemClock);
  readonly pace = new ManualPace();
  readonly caps = new InMemoryFrequencyCaps();
  readonly demand = new DelegateDemand({
    catalogue: this.catalogue,
    pace: this.pace,
    budgets: UNLIMITED_BUDGETS,
    caps: this.caps,
    clock: systemClock,
    random: Math.random,
  });

  constructor(...campaigns: readonly CampaignFields[]) {
    this.replica.put('dsp', makeDspProjection({ mode: 'delegate', endpointUrl: null }));
    for (const campaign of campaigns) this.replica.put('campaign', makeCampaignProjection('dsp-1', campaign));
  }

  /** `deviceKey` null: nothing names the viewer's device. */
  ask(deviceKey: string | null, imp: readonly object[] = [IMP], timeLeftMs = 1_000) {
    const request = { id: 'request-1', imp, site: { id: 'pub-1' } } as unknown as BidRequest;
    const context = {
      request,
      publisher: { contentGenre: null },
      pool: { id: 'pool-1' },
      sandbox: false,
      viewer: { deviceKey, buyerUids: new Map() },
    } as unknown as AuctionContext;
    return this.demand.ask(context, timeLeftMs);
  }

  async bids(deviceKey: string | null, imp?: readonly object[], timeLeftMs?: number): Promise<Bid[]> {
    return bidsOf(await this.ask(deviceKey, imp, timeLeftMs));
  }
}

function bidsOf({ participations: parts }: DelegateOffers): Bid[] {
  return parts.flatMap(({ offer }) => offer?.bids ?? []).map(({ bid }) => bid);
}

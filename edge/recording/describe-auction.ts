import type { AuctionRecord, Replayable } from '../../actors/auction-record/record.ts';
import { withoutPerson } from '../../exchange/consent/without-person.ts';
import type { BidRequest } from '../../exchange/openrtb/bid-request.ts';
import { acceptsDollars, CURRENCY } from '../../exchange/openrtb/currency.ts';
import { listOf } from '../../exchange/packed-domains.ts';
import { joined } from '../auction/blocked-categories.ts';
import type { HeldAuction } from '../auction/held-auction.ts';
import type { AuctionContext } from '../auction-context.ts';
import { describeImps } from './describe-imps.ts';
import { describeParts, describeSales } from './describe-parts.ts';
import { reasonUnfilled } from './reason-unfilled.ts';
import { shortened } from './shortened.ts';

/** JSON characters of what an auction can be held again by; most take one to three thousand. */
const LONGEST_REPLAYABLE = 32_768;

/** Who records, when, and for how many. */
export interface Recording {
  readonly atMs: number;
  readonly region: string;
  readonly edge: string;
  readonly represents: number;
  /** IAB Content Taxonomy 1.0, of the exchange itself; they join the publisher's. */
  readonly blockedCategories: readonly string[];
}

/** An auction that was held. Pure. */
export function describeAuction(
  context: AuctionContext,
  held: HeldAuction,
  { tookMs, expired }: { readonly tookMs: number; readonly expired: boolean },
  recording: Recording,
): AuctionRecord {
  const { request, publisher, pool, sandbox, privacy } = context;
  const floors = {
    publisherFloorCpmMicros: publisher.floorCpmMicros,
    poolFloorCpmMicros: pool?.floorCpmMicros ?? 0,
  };
  const { parts, partsLeftOut } = describeParts(held, request.device);
  const sold = describeSales(held.result);
  const outcome = expired ? 'expired' : sold.length > 0 ? 'filled' : 'unfilled';
  return {
    ...recorded(recording),
    auctionId: shortened(request.id),
    sandbox,
    publisher: { id: publisher.id, accountId: publisher.accountId, generation: publisher.sandboxGeneration },
    poolId: publisher.poolId,
    outcome,
    reason: outcome === 'filled' ? null : expired ? 'auction-expired' : reasonUnfilled(pool?.id ?? null, parts),
    detail: acceptsDollars(request) ? null : refusedCurrency(request),
    tookMs: Math.round(tookMs * 10) / 10,
    imps: describeImps(request, floors),
    asked: askedOf(request, publisher.contentGenre),
    privacy: [...privacy.reasons],
    parts,
    partsLeftOut,
    sold,
    replayable: replayableOf(context, floors, recording.blockedCategories),
  };
}

/** Why no demand was asked; it names what the request would take. */
function refusedCurrency({ cur = [] }: BidRequest): string {
  return shortened(`Bids are made in ${CURRENCY} alone, and cur names ${cur.join(', ')}: no currency is converted.`);
}

export function recorded({ atMs, region, edge, represents }: Recording) {
  return { version: 1, atMs, region, edge, represents } as const;
}

export function askedOf(request: Partial<BidRequest>, publisherGenre: string | null): AuctionRecord['asked'] {
  const { site, app, dooh, device } = request;
  const inventory = site ?? app ?? dooh;
  const named = site?.domain ?? app?.bundle ?? inventory?.domain ?? null;
  const genre = inventory?.content?.genre || publisherGenre;
  return {
    channel: site ? 'site' : app ? 'app' : dooh ? 'dooh' : null,
    inventory: named === null ? null : shortened(named),
    deviceType: device?.devicetype ?? null,
    country: device?.geo?.country ? shortened(device.geo.country, 8) : null,
    region: device?.geo?.region ? shortened(device.geo.region, 16) : null,
    genre: genre ? shortened(genre) : null,
  };
}

function replayableOf(
  { request, publisher, privacy }: AuctionContext,
  floors: Pick<Replayable['terms'], 'publisherFloorCpmMicros' | 'poolFloorCpmMicros'>,
  blockedCategories: readonly string[],
): Replayable | null {
  const replayable: Replayable = {
    request: withoutPerson(request, privacy.treatment),
    terms: {
      ...floors,
      blockedCategories: joined(publisher.blockedCategories, blockedCategories),
      blockedDomains: listOf(publisher.blockedDomains),
      publisherGenre: publisher.contentGenre,
    },
  };
  return JSON.stringify(replayable).length > LONGEST_REPLAYABLE ? null : replayable;
}

import type { AuctionRecord, ReplayInput } from '../../actors/auction-record/record.ts';
import { withoutPersonalData } from '../../exchange/consent/without-personal-data.ts';
import { acceptsDollars, CURRENCY } from '../../exchange/currency/currency.ts';
import type { BidRequest } from '../../exchange/openrtb/bid-request.ts';
import { domainListOf } from '../../exchange/packed-domains.ts';
import { mergeBlockedCategories } from '../auction/blocked-categories.ts';
import type { HeldAuction } from '../auction/held-auction.ts';
import { isInTestMode } from '../auction/test-mode.ts';
import type { AuctionContext } from '../auction-context.ts';
import { describeImps } from './describe-imps.ts';
import { describeParticipations, describeSales } from './describe-parts.ts';
import { reasonUnfilled } from './reason-unfilled.ts';
import { truncate } from './shortened.ts';

/** Upper bound, in JSON characters, of the data from which an auction can be replayed; most take 1,000 to 3,000. */
const LONGEST_REPLAYABLE = 32_768;

/** The edge that records, the time, and the number of auctions that the record stands for. */
export interface RecordingContext {
  readonly atMs: number;
  readonly region: string;
  readonly edge: string;
  readonly represents: number;
  /** IAB Content Taxonomy 1.0: the categories that the exchange itself blocks, added to the publisher's. */
  readonly blockedCategories: readonly string[];
}

/** Describes an auction that was held. Pure. */
export function describeAuction(
  context: AuctionContext,
  held: HeldAuction,
  { tookMs, expired }: { readonly tookMs: number; readonly expired: boolean },
  recording: RecordingContext,
): AuctionRecord {
  const { request, currencies, publisher, pool, sandbox, privacy } = context;
  const floors = {
    publisherFloorCpmMicros: publisher.floorCpmMicros,
    poolFloorCpmMicros: pool?.floorCpmMicros ?? 0,
  };
  const { parts, partsLeftOut } = describeParticipations(held, request.device);
  const sold = describeSales(held.result);
  const outcome = expired ? 'expired' : sold.length > 0 ? 'filled' : 'unfilled';
  return {
    ...recordingFields(recording),
    auctionId: truncate(request.id),
    sandbox,
    ...(isInTestMode(context) && { test: true }),
    publisher: { id: publisher.id, accountId: publisher.accountId, generation: publisher.sandboxGeneration },
    poolId: publisher.poolId,
    outcome,
    reason: outcome === 'filled' ? null : expired ? 'auction-expired' : reasonUnfilled(pool?.id ?? null, parts),
    detail: acceptsDollars(request) ? null : currencyRefusalDetail(request),
    tookMs: Math.round(tookMs * 10) / 10,
    imps: describeImps(request, floors, currencies),
    asked: requestSummary(request, publisher.contentGenre),
    privacy: [...privacy.reasons],
    ...(currencies && { currencies: { ratesAsOf: currencies.rates.asOf, answer: currencies.answer } }),
    parts,
    partsLeftOut,
    sold,
    replayable: replayInputOf(context, floors, recording.blockedCategories),
  };
}

/** The reason why no demand was asked, with the currencies that the request would accept. */
function currencyRefusalDetail({ cur = [] }: BidRequest): string {
  return truncate(`cur names ${cur.join(', ')}: neither ${CURRENCY} nor a currency with a rate.`);
}

export function recordingFields({ atMs, region, edge, represents }: RecordingContext) {
  return { version: 1, atMs, region, edge, represents } as const;
}

export function requestSummary(request: Partial<BidRequest>, publisherGenre: string | null): AuctionRecord['asked'] {
  const { site, app, dooh, device } = request;
  const inventory = site ?? app ?? dooh;
  const named = site?.domain ?? app?.bundle ?? inventory?.domain ?? null;
  const genre = inventory?.content?.genre || publisherGenre;
  return {
    channel: site ? 'site' : app ? 'app' : dooh ? 'dooh' : null,
    inventory: named === null ? null : truncate(named),
    deviceType: device?.devicetype ?? null,
    country: device?.geo?.country ? truncate(device.geo.country, 8) : null,
    region: device?.geo?.region ? truncate(device.geo.region, 16) : null,
    genre: genre ? truncate(genre) : null,
  };
}

function replayInputOf(
  { request, publisher, privacy }: AuctionContext,
  floors: Pick<ReplayInput['terms'], 'publisherFloorCpmMicros' | 'poolFloorCpmMicros'>,
  blockedCategories: readonly string[],
): ReplayInput | null {
  const replayable: ReplayInput = {
    request: withoutPersonalData(request, privacy.treatment),
    terms: {
      ...floors,
      blockedCategories: mergeBlockedCategories(publisher.blockedCategories, blockedCategories),
      blockedDomains: domainListOf(publisher.blockedDomains),
      publisherGenre: publisher.contentGenre,
    },
  };
  return JSON.stringify(replayable).length > LONGEST_REPLAYABLE ? null : replayable;
}

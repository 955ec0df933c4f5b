import type { BlockReason } from '../fraud/block-reason.ts';
import type { LossReason, NoBidReason } from './loss-reason.ts';

/** Why nothing was sold, where no demand source is the cause. */
type OtherReason = 'no-pool' | 'no-demand' | 'invalid-request';

const READ_WORDS = 'See the words beside the reason: they name the field.';

/**
 * What would change the outcome, in words for people. For each reason that an auction record may name, the text lists
 * the fields of the request, the answer or the API, or the settings of the exchange, that decide it. Where no field
 * decides a reason, the text says whose decision it is.
 */
const REMEDIES: Readonly<
  Record<string, string> & Record<LossReason | NoBidReason | BlockReason | OtherReason, string>
> = {
  // Bids that lost.
  'malformed-bid': 'The bidder: id, impid and price of each bid.',
  'unknown-imp': 'The bidder: impid of the bid, one of imp.id.',
  'duplicate-bid': 'The bidder: id of each bid, different ones.',
  'invalid-price': 'The bidder: price of the bid, a CPM above 0.',
  'wrong-currency': 'The bidder: cur of the response, USD or a currency of GET /api/currency-rates.',
  'seat-not-allowed': 'wseat and bseat of the request, or seatbid.seat of the response.',
  'unknown-deal': 'The bidder: dealid of the bid, one of imp.pmp.deals.',
  'deal-required': 'imp.pmp.private_auction of the request, or dealid of the bid.',
  'deal-seat-not-allowed': 'wseat of the deal, or seatbid.seat of the response.',
  'deal-advertiser-not-allowed': 'wadomain of the deal, or adomain of the bid.',
  'missing-markup': 'The bidder: adm of the bid, or a nurl that answers with it.',
  'format-not-offered':
    'banner, video, audio and native of the imp, mtype of the bid, or mimes of the imp and the types of the files in its VAST.',
  'size-not-allowed': 'imp.banner.format (sizes in a tag), or w and h of the bid.',
  'duration-not-allowed':
    'minduration, maxduration, rqddurs and poddur of the imp, or dur of the bid and Duration in its VAST.',
  'position-not-offered': 'slotinpod of the imp, or of the bid: 0 where any place of the pod will do.',
  'mraid-not-offered': 'imp.banner.api: 5 or 6 (mraid=2 or 3 in a tag), never on televisions.',
  'insecure-creative':
    'HTTPS for all that the markup loads, or imp.secure of the request (secure=0 in a tag) unless HTTPS_CREATIVES_ONLY forbids it.',
  'blocked-advertiser': 'badv of the request and blocked_domains of the supply source, or adomain of the bid.',
  'blocked-category':
    'bcat of the request and blocked_categories of the supply source, or cat of the bid; what the exchange blocks is sold nowhere.',
  'blocked-app': 'bapp of the request, or bundle of the bid.',
  'blocked-attribute': 'battr of the imp, or attr of the bid.',
  'vast-not-taken':
    'version and wrapper of the tag, all that the player takes (version=4.0,4.1,4.2), or VAST of one of the protocols of the imp.',
  'creative-rejected':
    'The markup: VAST that can be read, with no DOCTYPE and no VPAID in it, or a native ad with all assets that the imp requires.',
  'creative-blocked': 'The decisions about creatives: /api/creatives/rules of the account, or of the exchange.',
  'creative-not-approved':
    'An approval (POST /api/creatives/{id}/approve), or the mode of the supply source, its pool, account or the exchange (/api/creatives/policies).',
  'frequency-cap-reached': 'frequency_cap of the campaign.',
  'out-of-budget': 'budget of the campaign, or daily_budget_cents of the demand source.',
  'publisher-share':
    'Impressions of what was sold: ads that were sold and not shown hold their share of a budget until the render window (RENDER_WINDOW_SECONDS) ends.',
  'below-floor':
    'bidfloor of the imp (floor in a tag), floor_price_cpm of the supply source and of its pool, or a higher bid.',
  'below-deal-floor': 'bidfloor of the deal, or a higher bid.',
  'lost-to-higher-bid': 'A higher bid: min_to_win_cpm is what would have won.',
  'competitive-separation': 'poddedupe of the imp, or adomain, cat and crid of the bid.',
  'auction-expired': 'The exchange was too busy: fewer auctions at once for each process, or more processes.',
  'group-not-won': 'The bidder: group of the seatbid, 0 where bids may win by themselves.',
  // Demand sources without a bid.
  'no-bid': 'The bidder’s own: see nbr in its answer, and try it with POST /api/sandbox/test-bid.',
  timeout: 'A faster answer, timeout_ms of the demand source, or tmax of the request.',
  unreachable:
    'endpoint_url of the demand source, and whether it answers; private networks need ALLOW_PRIVATE_NETWORKS.',
  'tls-failed':
    'The bidder: a valid certificate of the host in endpoint_url, with its chain; connection_problem of its health says what is wrong. Or BIDDER_CA_FILE, and BIDDER_CERTIFICATE_FILE where it asks for one.',
  'http-error': 'The bidder: 200 with a bid, or 204.',
  'response-too-large': 'The bidder: a shorter answer.',
  'malformed-response': 'The bidder: a BidResponse as OpenRTB has it.',
  'wrong-request-id': 'The bidder: id of the response, that of the request.',
  'circuit-open': 'Answers in time: it is tried again by itself, or at once after POST /api/demand/sources/{id}/reset.',
  'qps-limit': 'qps_limit of the demand source.',
  'backing-off': 'Answers in time and without 429 or 503: it is asked more often again by itself.',
  'concurrency-limit': 'Faster answers, or more edges: so many calls may be under way to a bidder from each.',
  'budget-exhausted': 'daily_budget_cents of the demand source, or budget of its campaigns.',
  'insufficient-time': 'tmax of the request; where that is long enough, fewer auctions for each edge.',
  'unsupported-format': 'banner, video, audio and native of the imp.',
  'unsupported-channel': 'site, app and dooh of the request.',
  'unsupported-currency': 'cur of the request, with USD or a currency of GET /api/currency-rates in it.',
  'no-match': 'targeting and rules of its campaigns: POST /api/sandbox/simulate-auction judges each demand of them.',
  pacing: 'budget of its campaigns: what is left is spread over the day.',
  'frequency-cap':
    'frequency_cap of its campaigns; a device without an id is not counted, and so is shown none of them.',
  'creative-unavailable':
    'The creatives of its campaigns: kept_back says of each why it cannot be shown, and what would change it.',
  privacy: 'The viewer’s own choice.',
  // Requests that were refused, or not filled.
  'unknown-publisher':
    'site.id, app.id or publisher.id of the request (site_id or publisher_id in a tag): the id of a supply source.',
  'archived-publisher': 'status of the supply source.',
  'foreign-key': 'X-API-Key of the call: a key of the account, or the source’s own.',
  'invalid-floor': READ_WORDS,
  'site-mismatch':
    'domain and identities of the supply source, or site.domain and site.page of the request (page in a tag).',
  'app-mismatch': 'domain and identities of the supply source, or app.bundle of the request (app_bundle in a tag).',
  'key-required': 'require_key of the supply source, or X-API-Key of the call.',
  'unverified-supply': 'require_verified of the pool, or the publisher’s (app-)ads.txt.',
  'private-address': 'device.ip of the request (ip in a tag); ALLOW_PRIVATE_NETWORKS on a developer’s machine.',
  'blocked-network': 'device.ip of the request (ip in a tag), or BLOCKED_NETWORKS_FILE.',
  bot: 'device.ua of the request (ua in a tag); the sandbox (sandbox=true) takes programs.',
  'address-flood': 'Fewer requests, device.ip of the request (ip in a tag), or MAX_REQUESTS_PER_SECOND_PER_ADDRESS.',
  'caller-flood': 'A device in the request, or a key in X-API-Key.',
  'device-flood': 'Fewer requests of one device, or MAX_REQUESTS_PER_SECOND_PER_DEVICE.',
  'replayed-request': 'id of the request, another one each time.',
  'no-pool': 'pool_id of the supply source.',
  'no-demand': 'supply_pools of demand sources: one that takes the traffic of the publisher’s pool.',
  'invalid-request': READ_WORDS,
};

/** The remedy of a reason; null for a reason that is not known, from another version. */
export function remedyOf(reason: string): string | null {
  return Object.hasOwn(REMEDIES, reason) ? REMEDIES[reason]! : null;
}

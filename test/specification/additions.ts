/** A shape whose members the specification lists one by one, and where an answer of ours has it. */
export interface ListedShape {
  /** As the specification calls it. */
  readonly name: string;
  /** `METHOD /path` of an answer that has it; {@link ERRORS} for the body of every error. */
  readonly route: string;
  /** The way from the answer to the shape, by members; through lists and choices. */
  readonly at: readonly string[];
  readonly members: readonly string[];
  /** Members that we add, each with the reason. */
  readonly additions: Readonly<Record<string, string>>;
}

export const ERRORS = 'every error';

const shape = (
  name: string,
  route: string,
  members: string,
  additions: ListedShape['additions'] = {},
  at: readonly string[] = [],
): ListedShape => ({ name, route, at, members: members.split(' '), additions });

const bucket = 'timestamp impressions revenue_cents';
const series = 'period buckets';
const latencyPercentiles = 'p50_ms p95_ms p99_ms';
const platform = `period generated_at auctions impressions fill_rate revenue_cents bid_requests_sent rps_current ${latencyPercentiles} regions`;

const partner = 'Whose it is: partners of an account see their own alone, and an account finds theirs.';
const updated = 'When it changed last: the revision that `If-Match` compares is of that moment.';

const supplySource = {
  partner_id: partner,
  blocked_categories: 'What the publisher does not want shown, which every bid is held to.',
  blocked_domains: 'Advertisers that the publisher does not want, which every bid is held to.',
  seller_type: 'What sellers.json says of it.',
  billing_notice: 'Whether bidders are given the impression URL as `burl`: stock players call `nurl` alone.',
  is_confidential: 'What sellers.json says of it.',
  developer_domain: 'Of an app: where its app-ads.txt stands, which verification reads.',
  identities: 'The domains and bundles that its requests may name: others are refused as `site-mismatch`.',
  require_key: 'Whether its bid requests need its key.',
  fill_rate_alert_threshold: 'Below which `publisher.fill_rate_alert` is sent.',
  updated_at: updated,
};

const demandSource = {
  openrtb_version: 'Whether it is asked in OpenRTB 2.5 or 2.6.',
  qps_limit: 'How often it is called at most: the limit that demand source health names.',
  loss_notice_method: 'Whether loss notices are called by POST, as specified, or by GET, which some bidders expect.',
  user_sync_url: 'What `/sync` has a browser call.',
  user_sync_type: 'Whether `/sync` calls it as a redirect or in an iframe.',
  tcf_vendor_id: 'Whom consent strings speak of: without consent it is told nothing of the viewer.',
  event_feed: 'Whether its wins and impressions are kept for `GET /api/dsp/{id}/feed`.',
  creatives: 'Whether the markup of its creatives is the same in every auction, and may be hosted.',
  partner_id: partner,
  updated_at: updated,
};

const billing = {
  late_impressions: 'Sold in an earlier month and rendered in this one; absent when there are none.',
  late_gross_cents: 'Gross of those; absent when there are none.',
  invalid_traffic: 'What was not billed as invalid traffic; absent when there was none.',
  adjustments: 'What was taken back later, line by line; absent when there are none.',
  due_after_adjustments_cents: 'What is due with these lines; absent when there are none.',
  finalized_at: 'When the statement was frozen; absent before.',
  pages_sha256: 'The proof of the books that a frozen statement sums; absent before.',
};

const listed = {
  timeout_ms: 'The list shows whole demand sources: this field is of the specified object, though not of its list.',
  ...demandSource,
};

/** The objects of the specification, and the answers of its endpoints, as far as it lists their members. */
export const LISTED_SHAPES: readonly ListedShape[] = [
  shape(
    'Supply source',
    'GET /api/supply/sources/:id',
    'id name domain type status sandbox pool_id floor_price_cpm content_genre created_at',
    supplySource,
  ),
  shape('Error body', ERRORS, 'error'),
  shape(
    'Error',
    ERRORS,
    'code message field request_id reset_at',
    { errors: 'All that is wrong with a request at once, of which `field` and `message` name the first.' },
    ['error'],
  ),
  shape('List of supply sources', 'GET /api/supply/sources', 'publishers total page'),
  shape(
    'Pool',
    'GET /api/supply/pools',
    'id name description publisher_count dsp_count floor_price_cpm',
    { require_verified: 'Whether only verified supply sources of the pool are sold.' },
    ['pools'],
  ),
  shape('List of pools', 'GET /api/supply/pools', 'pools'),
  shape(
    'Demand source',
    'GET /api/demand/sources/:id',
    'id name mode status endpoint_url sandbox daily_budget_cents timeout_ms created_at',
    demandSource,
  ),
  shape('List of demand sources', 'GET /api/demand/sources', 'dsps total'),
  shape(
    'Demand source, listed',
    'GET /api/demand/sources',
    'id name mode status endpoint_url sandbox daily_budget_cents created_at',
    listed,
    ['dsps'],
  ),
  shape(
    'Demand source health',
    'GET /api/demand/sources/:id/health',
    'circuit_breaker timeout_rate_5m error_rate_5m avg_latency_ms qps_current qps_limit daily_budget_remaining_cents last_bid_at',
    {
      connection_problem:
        'Why there is no connection over TLS: a certificate that has expired looks like any other error. Absent where there is a connection.',
    },
  ),
  shape('Reset of a demand source', 'POST /api/demand/sources/:id/reset', 'circuit_breaker message'),
  shape('Pools of a demand source', 'GET /api/demand/sources/:id/pools', 'id name publisher_count', {}, ['pools']),
  shape('Delegate strategy', 'PUT /api/demand/sources/:id/strategy', 'version dsp_id campaigns rules default_bid'),
  shape('Creative warning', 'POST /api/campaigns', 'creative_id warning', {}, ['creative_warnings']),
  shape('Platform metrics', 'GET /api/metrics', `${platform} buckets`),
  shape('Platform metrics, by time', 'GET /api/metrics', bucket, {}, ['buckets']),
  shape('Platform metrics, a region', 'GET /api/metrics', 'rps fill_rate', {}, ['regions', '*']),
  shape('Partner metrics', 'GET /api/metrics/partner', `${platform} buckets`),
  shape(
    'Publisher metrics',
    'GET /api/metrics/publisher/:publisher_id',
    `publisher_id publisher_name period impressions fill_rate revenue_cents ecpm_cents bid_requests ${latencyPercentiles} dsp_breakdown buckets`,
  ),
  shape(
    'Publisher metrics, a demand source',
    'GET /api/metrics/publisher/:publisher_id',
    'dsp_id dsp_name wins spend_cents avg_cpm_cents',
    {},
    ['dsp_breakdown'],
  ),
  shape(
    'Supply source stats',
    'GET /api/supply/sources/:id/stats',
    `publisher_id impressions fill_rate revenue_cents ecpm_cents bid_requests ${latencyPercentiles} ${series}`,
  ),
  shape(
    'DSP metrics',
    'GET /api/metrics/dsp/:dsp_id',
    'dsp_id dsp_name period bid_requests bids wins impressions win_rate spend_cents avg_cpm_cents publisher_breakdown buckets',
  ),
  shape(
    'DSP metrics, a publisher',
    'GET /api/metrics/dsp/:dsp_id',
    'publisher_id publisher_name wins spend_cents',
    {},
    ['publisher_breakdown'],
  ),
  shape(
    'DSP stats',
    'GET /api/demand/sources/:id/stats',
    `dsp_id bid_requests bids wins impressions win_rate spend_cents avg_cpm_cents timeout_rate p50_ms p95_ms ${series}`,
    { creatives: 'The rows of `breakdown=creative`, whose shape the specification does not list.' },
  ),
  shape('Time series', 'GET /api/demand/sources/:id/stats', bucket, {}, ['buckets']),
  shape(
    'Publisher report',
    'GET /api/source/report',
    'publisher publisher_id period month impressions revenue_cents auctions fill_rate avg_cpm',
  ),
  shape('Publisher billing', 'GET /api/source/billing', 'publisher publisher_id month status payout', billing),
  shape(
    'Payout',
    'GET /api/source/billing',
    'gross_revenue_cents fee_percent fee_cents net_payout_cents impressions currency',
    {},
    ['payout'],
  ),
  shape('DSP report', 'GET /api/demand/report', 'dsp dsp_id period month spend_cents wins avg_cpm'),
  shape('DSP billing', 'GET /api/demand/billing', 'dsp dsp_id month status invoice', billing),
  shape('Invoice', 'GET /api/demand/billing', 'spend_cents fee_percent fee_cents total_due_cents wins currency', {}, [
    'invoice',
  ]),
  shape('Health', 'GET /api/health', 'status region version'),
  shape('Sellers list', 'GET /sellers.json', 'contact_email contact_address version identifiers sellers'),
  shape('Sellers list, an identifier', 'GET /sellers.json', 'name value', {}, ['identifiers']),
  shape(
    'Sellers list, a seller',
    'GET /sellers.json',
    'seller_id name domain seller_type is_confidential',
    {
      comment:
        "A field of the IAB's sellers.json: says so of a seller whose ads.txt or app-ads.txt does not list the exchange.",
    },
    ['sellers'],
  ),
  shape('Reset of the sandbox', 'POST /api/sandbox/reset', 'message affected_publishers affected_dsps'),
  shape(
    'Test-bid result',
    'POST /api/sandbox/test-bid',
    'request response_status response_body response_time_ms outcome clearing_price floor',
    { reason: 'Why the bid would not have won, in the words of the auction explorer; null where it would.' },
  ),
  shape(
    'Simulation result',
    'POST /api/sandbox/simulate-auction',
    'matched_rule campaign_id campaign_name bid_cpm base_cpm won clearing_price floor reason creative conditions_evaluated message',
  ),
  shape('Simulation result, the creative', 'POST /api/sandbox/simulate-auction', 'vast_url creative_id', {}, [
    'creative',
  ]),
  shape(
    'Simulation result, conditions',
    'POST /api/sandbox/simulate-auction',
    'campaign rules',
    {
      matched: 'Whether the campaign matched, its targeting and its rules together.',
      reason: 'Why it was not the one that bids.',
      targeting: 'The conditions that its targeting comes to: it may keep a campaign back as a rule may.',
    },
    ['conditions_evaluated'],
  ),
  shape('Sandbox health', 'GET /api/sandbox/health', 'status sandbox_redis synthetic_dsps test_publishers_available'),
];

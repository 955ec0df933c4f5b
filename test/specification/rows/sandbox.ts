import { rowsShownIn, type Section } from '../row.ts';

export const sandbox: Section = {
  title: 'Sandbox',
  rows: [
    ...rowsShownIn('sandbox.test.ts', {
      'sandbox.header': '`X-Sandbox: true` selects the sandbox context.',
      'sandbox.query': '`sandbox=true` selects the sandbox context.',
      'sandbox.key': 'A `pk_sandbox_` key means sandbox without any header.',
      'sandbox.misspelled': 'A switch that is neither true nor false is 400 on either host, never taken for live.',
      'sandbox.live-hidden': 'In the sandbox context live sources cannot be seen.',
      'sandbox.key-no-live': 'A `pk_sandbox_` key makes, changes and sees no live source.',
      'sandbox.auction':
        'Sandbox and live traffic never meet: sandbox requests, by header, query or key, ask sandbox demand only.',
      'sandbox.synthetic.high': 'The synthetic demand source HighBidder bids.',
      'sandbox.synthetic.low': 'The synthetic demand source LowBidder bids.',
      'sandbox.synthetic.random': 'The synthetic demand source RandomBidder bids at random prices.',
      'sandbox.synthetic.timeout': 'The synthetic demand source TimeoutDSP never answers in time.',
      'sandbox.health.200':
        '`GET /api/sandbox/health` answers `{status, sandbox_redis, synthetic_dsps, test_publishers_available}`.',
      'sandbox.first-fill': 'The very first sandbox request of a new user fills.',
    }),
    ...rowsShownIn('test-bid.test.ts', {
      'sandbox.test-bid.get': '`GET /api/sandbox/test-bid` answers a full OpenRTB 2.5 bid request and sends nothing.',
      'sandbox.test-bid.scenario.ctv-uae-drama': 'Scenario `ctv-uae-drama`, the default.',
      'sandbox.test-bid.scenario.mobile-uk-sport': 'Scenario `mobile-uk-sport`.',
      'sandbox.test-bid.scenario.web-us-news': 'Scenario `web-us-news`.',
      'sandbox.test-bid.scenario.ctv-timeout': 'Scenario `ctv-timeout`.',
      'sandbox.test-bid.scenario.unknown': 'An unknown scenario is 400.',
      'sandbox.test-bid.post': '`POST /api/sandbox/test-bid` sends the request to the registered endpoint.',
      'sandbox.test-bid.request': 'The result has `request`.',
      'sandbox.test-bid.response_status': 'The result has `response_status`.',
      'sandbox.test-bid.response_body': 'The result has `response_body`.',
      'sandbox.test-bid.response_time_ms': 'The result has `response_time_ms`.',
      'sandbox.test-bid.clearing_price': 'The result has `clearing_price`.',
      'sandbox.test-bid.floor': 'The result has `floor`.',
      'sandbox.test-bid.outcome.win': 'Outcome `win`.',
      'sandbox.test-bid.outcome.no-bid': 'Outcome `no-bid`.',
      'sandbox.test-bid.outcome.below-floor': 'Outcome `below-floor`.',
      'sandbox.test-bid.outcome.timeout': 'Outcome `timeout`.',
      'sandbox.test-bid.outcome.error': 'Outcome `error`.',
      'sandbox.test-bid.unknown-dsp': 'An unknown or live demand source is 404; one of the wrong mode 400.',
    }),
    ...rowsShownIn('sandbox-reset.test.ts', {
      'sandbox.reset.200': '`POST /api/sandbox/reset` answers `{message, affected_publishers, affected_dsps}`.',
      'sandbox.reset.flushes': 'Reset flushes sandbox metrics, auction logs and live counters of the account, at once.',
      'sandbox.reset.live-untouched': 'Reset leaves live data and other accounts alone.',
    }),
    ...rowsShownIn('simulate-auction.test.ts', {
      'sandbox.simulate.200': '`POST /api/sandbox/simulate-auction` takes `{dsp_id, auction}`.',
      'sandbox.simulate.devicetype': '`auction.device.devicetype` is an optional integer.',
      'sandbox.simulate.country': '`auction.device.geo.country` is an optional string.',
      'sandbox.simulate.region': '`auction.device.geo.region` is an optional string.',
      'sandbox.simulate.city': '`auction.device.geo.city` is an optional string.',
      'sandbox.simulate.genre': '`auction.content.genre` is an optional string.',
      'sandbox.simulate.categories': '`auction.categories` is an optional array of strings.',
      'sandbox.simulate.bidfloor': '`auction.bidfloor` is an optional number.',
      'sandbox.simulate.publisher_id': '`auction.publisher_id` is an optional string.',
      'sandbox.simulate.match':
        'On a match: `matched_rule`, `campaign_id`, `campaign_name`, `bid_cpm`, `base_cpm`, `won`, `clearing_price`, `floor`, `reason`.',
      'sandbox.simulate.match.creative': 'On a match: `creative {vast_url, creative_id}`.',
      'sandbox.simulate.conditions': '`conditions_evaluated [{campaign, rules[]}]` says what was evaluated.',
      'sandbox.simulate.no-match':
        'Without a match: `matched_rule` and `campaign_id` null, `bid_cpm` 0, `won` false, `floor`, `message`.',
    }),
  ],
};

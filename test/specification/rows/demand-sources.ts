import { rowsShownIn, rowsShownOnRealServersIn, type Section } from '../row.ts';

export const demandSources: Section = {
  title: 'Demand sources',
  rows: [
    ...rowsShownIn('strategy.test.ts', {
      'demand.strategy.200': '`PUT /api/demand/sources/{id}/strategy` is 200 with the saved strategy.',
      'demand.strategy.422': 'A strategy that fails validation is 422 STRATEGY_INVALID.',
      'demand.strategy.dsp-id': 'A strategy whose `dsp_id` is not the path’s is 422.',
      'demand.strategy.rtb': 'A strategy for an `rtb` demand source is 400.',
    }),
    ...rowsShownIn('demand-sources.test.ts', {
      'demand.field.id': '`id` is a UUID.',
      'demand.field.name': '`name` is a string.',
      'demand.field.mode': '`mode` is `rtb` or `delegate`.',
      'demand.field.status': '`status` is `active`, `sandbox` or `archived`.',
      'demand.field.endpoint_url': '`endpoint_url` is the bidder URL, null for `delegate`.',
      'demand.field.sandbox': '`sandbox` is a boolean.',
      'demand.field.daily_budget_cents': '`daily_budget_cents` is an integer.',
      'demand.field.timeout_ms': '`timeout_ms` is an integer, at most 150.',
      'demand.field.created_at': '`created_at` is an ISO 8601 UTC timestamp.',
      'demand.list.shape': '`GET /api/demand/sources` answers `{dsps, total}`.',
      'demand.list.item':
        'A list item has `id`, `name`, `mode`, `status`, `endpoint_url`, `sandbox`, `daily_budget_cents`, `created_at`.',
      'demand.list.status': '`status` filters by `active`, `sandbox` and `archived`; an unknown one is 400.',
      'demand.list.mode': '`mode` filters by `rtb` and `delegate`; an unknown one is 400.',
      'demand.list.whole': 'The list is whole unless a page is asked for.',
      'demand.create.201': '`POST /api/demand/sources` answers 201 with the created demand source.',
      'demand.create.name-required': '`name` is required: 400 INVALID_PARAMS names it.',
      'demand.create.mode-required': '`mode` is required: 400 INVALID_PARAMS names it.',
      'demand.create.mode.rtb': '`mode` `rtb` is accepted.',
      'demand.create.mode.delegate': '`mode` `delegate` is accepted; its `endpoint_url` is null.',
      'demand.create.mode.other': 'Any other `mode` is 400 VALIDATION_ERROR.',
      'demand.create.endpoint-required': '`endpoint_url` is required for `rtb`: 400 INVALID_PARAMS names it.',
      'demand.create.endpoint-malformed': 'An `endpoint_url` that is no HTTP URL is 400 VALIDATION_ERROR.',
      'demand.create.timeout-max': '`timeout_ms` above 150 is 400, never clamped.',
      'demand.create.budget-default': '`daily_budget_cents` defaults to 0.',
      'demand.create.budget-integer': 'A `daily_budget_cents` that is no whole number from 0 is 400 VALIDATION_ERROR.',
      'demand.create.sandbox': '`sandbox: true` makes status `sandbox`; without it status is `active`.',
      'demand.create.409': 'A duplicate name is 409 CONFLICT.',
      'demand.read.200': '`GET /api/demand/sources/{id}` answers the demand source.',
      'demand.read.404': 'An unknown or malformed id is 404 NOT_FOUND.',
      'demand.update.200': '`PUT /api/demand/sources/{id}` answers the updated demand source.',
      'demand.update.partial': 'An update changes only the fields that it includes.',
      'demand.update.name': '`name` can be updated.',
      'demand.update.mode': '`mode` can be updated; a delegate loses its `endpoint_url`.',
      'demand.update.endpoint_url': '`endpoint_url` can be updated.',
      'demand.update.daily_budget_cents': '`daily_budget_cents` can be updated.',
      'demand.update.timeout_ms': '`timeout_ms` can be updated.',
      'demand.update.sandbox': '`sandbox: false` makes the source `active`.',
      'demand.update.archived': 'An archived source refuses every update with 409.',
      'demand.pools.list': '`GET /api/demand/sources/{id}/pools` answers `{pools: [{id, name, publisher_count}]}`.',
      'demand.pools.subscribe':
        '`POST /api/demand/sources/{id}/pools/{pool_id}` with an empty body is 200 and subscribes.',
      'demand.pools.subscribe-again': 'Subscribing twice is 200 and changes nothing.',
      'demand.pools.unsubscribe': '`DELETE /api/demand/sources/{id}/pools/{pool_id}` is 200 and unsubscribes.',
      'demand.pools.404': 'Subscribing an unknown source, or to an unknown pool, is 404 NOT_FOUND.',
    }),
    ...rowsShownIn('bidder-failures.test.ts', {
      'demand.timeout_ms.used': '`timeout_ms` shortens the time that the bidder has.',
    }),
    ...rowsShownIn('demand-funnel.test.ts', {
      'demand.funnel.200': '`GET /api/demand/sources/{id}/funnel` answers what became of its auctions, step by step.',
      'demand.funnel.adds-up': 'The steps of the funnel add up, and to what the caller saw.',
      'demand.funnel.reasons':
        'Each step of the funnel says why; of bids that were invalid or lost with OpenRTB’s loss code and the seat-non-bid status.',
      'demand.funnel.query': 'The funnel takes `period` and `region`.',
    }),
    ...rowsShownIn('demand-health.test.ts', {
      'demand.health.200': '`GET /api/demand/sources/{id}/health` answers the health object.',
      'demand.health.qps_limit': '`qps_limit` is an integer.',
      'demand.reset.200':
        '`POST /api/demand/sources/{id}/reset` is 200 `{circuit_breaker, message}`, with the breaker `closed`.',
      'demand.reset.404': 'Resetting an unknown demand source is 404.',
      'demand.health.timeout_rate_5m': '`timeout_rate_5m` is the share of calls just made that timed out.',
      'demand.health.error_rate_5m': '`error_rate_5m` is the share of calls just made that failed.',
      'demand.health.avg_latency_ms':
        '`avg_latency_ms` is the bidder’s latency, within the 150 ms that it has; 0 before any call.',
      'demand.health.qps_current':
        '`qps_current` is a whole number of calls a second: above 0 under traffic, 0 when it has ceased.',
      'demand.health.daily_budget_remaining_cents':
        '`daily_budget_remaining_cents` is what is left today; null when unlimited.',
      'demand.health.last_bid_at': '`last_bid_at` is an ISO 8601 timestamp; null before any bid.',
      'demand.health.delegate':
        'Of a delegate that bids: breaker `closed`, rates 0, its last bid, and what is left of its budget.',
    }),
    ...rowsShownIn('breaker-recovery.test.ts', {
      'demand.health.circuit_breaker': '`circuit_breaker` is `closed`, `open` or `half_open`.',
    }),
    ...rowsShownOnRealServersIn('demand-health.test.ts', {
      'demand.qps_limit.exchange': 'Two edges together call a demand source no more often than its `qps_limit`.',
      'demand.health.worst-edge': 'Health shows the worst edge’s breaker.',
    }),
    ...rowsShownIn('budgets.test.ts', {
      'demand.daily_budget.stops': 'A bidder that has spent its `daily_budget_cents` is not asked any more that day.',
      'demand.daily_budget.unlimited': 'With `daily_budget_cents` 0 spending is not bounded.',
    }),
    ...rowsShownOnRealServersIn('caps-over-edges.test.ts', {
      'demand.daily_budget.edges':
        'Two edges together hold a `daily_budget_cents`, whichever sells and whichever bills.',
    }),
  ],
};

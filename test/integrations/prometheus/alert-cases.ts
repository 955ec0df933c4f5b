/** Series by name and labels, with their samples a minute in promtool's notation (`0+5x10`: 0, 5, 10, … 50). */
type Samples = Readonly<Record<string, string>>;

/** When an alert must fire, and when it must not. */
export interface AlertCase {
  readonly alert: string;
  readonly fires: Samples;
  /** The labels of the alert that fires, but for its name and severity. */
  readonly labels?: Readonly<Record<string, string>>;
  /** When it is looked at; it must fire by then. */
  readonly at: string;
  /** A minute in the same course at which it must not fire yet. */
  readonly notYetAt?: string;
  readonly quiet: Samples;
}

const EDGE = { instance: 'edge-1:9090' };

export const ALERT_CASES: readonly AlertCase[] = [
  {
    alert: 'ExchangeBooksBehind',
    fires: { 'books_watermark_lag_seconds{instance="a"}': '0+60x30' },
    ...{ at: '15m', notYetAt: '9m' },
    quiet: { 'books_watermark_lag_seconds{instance="a"}': '5x4 250x4 5x22' },
  },
  {
    alert: 'ExchangeAuditDifference',
    fires: { 'audit_differences{of="books"}': '0x4 2x10', 'audit_differences{of="trail"}': '0x14' },
    labels: { of: 'books' },
    ...{ at: '6m', notYetAt: '4m' },
    quiet: { 'audit_differences{of="books"}': '0x10', 'audit_differences{of="trail"}': '0x10' },
  },
  {
    alert: 'ExchangeMessageParked',
    fires: { 'actor_dead_letters_total{kind="ledger"}': '0x4 1x10', 'actor_dead_letters_total{kind="pool"}': '0x14' },
    labels: { kind: 'ledger' },
    ...{ at: '6m', notYetAt: '4m' },
    quiet: { 'actor_dead_letters_total{kind="ledger"}': '3x30' },
  },
  {
    alert: 'ExchangeMessageParked',
    // Of a process whose first scrape comes after it.
    fires: {
      'actor_dead_letters_total{kind="ledger",instance="a"}': '_x20 3x40',
      'process_start_time_seconds{instance="a"}': '_x20 1180x40',
    },
    labels: { kind: 'ledger' },
    ...{ at: '21m', notYetAt: '19m' },
    quiet: {
      'actor_dead_letters_total{kind="ledger",instance="a"}': '3x60',
      'process_start_time_seconds{instance="a"}': '0x60',
      'actor_dead_letters_total{kind="ledger",instance="b"}': '_x20 0x40',
      'process_start_time_seconds{instance="b"}': '_x20 1180x40',
    },
  },
  {
    alert: 'ExchangeDeadLettersWaiting',
    fires: { 'dead_letters_waiting{kind="ledger",instance="a"}': '2x200' },
    ...{ at: '125m', notYetAt: '115m' },
    quiet: { 'dead_letters_waiting{kind="ledger",instance="a"}': '2x60 0x140' },
  },
  {
    alert: 'ExchangeActorQuarantined',
    fires: { 'actor_quarantined{kind="ledger"}': '0x4 1x10' },
    labels: { kind: 'ledger' },
    ...{ at: '7m', notYetAt: '4m' },
    quiet: { 'actor_quarantined{kind="ledger"}': '0x10' },
  },
  {
    alert: 'ExchangeMessagesMayBeLost',
    fires: { 'actor_alarms_total{alarm="log-lost"}': '0x4 1x10' },
    labels: { alarm: 'log-lost' },
    ...{ at: '6m', notYetAt: '4m' },
    quiet: { 'actor_alarms_total{alarm="log-lost"}': '0x10', 'actor_alarms_total{alarm="unstorable"}': '0x4 1x6' },
  },
  {
    alert: 'ExchangeMessagesMayBeLost',
    fires: {
      'actor_alarms_total{alarm="log-lost",instance="a"}': '_x20 1x100',
      'process_start_time_seconds{instance="a"}': '_x20 1180x100',
    },
    labels: { alarm: 'log-lost' },
    ...{ at: '21m', notYetAt: '19m' },
    quiet: {
      'actor_alarms_total{alarm="log-lost",instance="a"}': '_x20 0x100',
      'actor_alarms_total{alarm="unstorable",instance="a"}': '_x20 1x100',
      'process_start_time_seconds{instance="a"}': '_x20 1180x100',
      // Of one machine: a process that has lost something long ago, and an edge that was restarted.
      'actor_alarms_total{alarm="log-lost",instance="b",process="others"}': '3x120',
      'process_start_time_seconds{instance="b",process="others"}': '-100000x120',
      'process_start_time_seconds{instance="b",process="edge-1"}': '_x20 1180x100',
    },
  },
  {
    alert: 'ExchangeImpressionsSpooled',
    fires: { 'exchange_spool_bytes{instance="edge-1:9090"}': '0x4 900+100x20' },
    labels: EDGE,
    ...{ at: '16m', notYetAt: '13m' },
    quiet: { 'exchange_spool_bytes{instance="edge-1:9090"}': '0x4 900x4 0x20' },
  },
  {
    alert: 'ExchangeImpressionsRefused',
    fires: {
      'exchange_impression_calls_total{outcome="refused",environment="live",instance="edge-1:9090"}': '0+1x20',
    },
    labels: EDGE,
    at: '6m',
    quiet: {
      'exchange_impression_calls_total{outcome="refused",environment="sandbox",instance="edge-1:9090"}': '0+1x20',
      'exchange_impression_calls_total{outcome="billed",environment="live",instance="edge-1:9090"}': '0+90x20',
    },
  },
  {
    alert: 'ExchangeImpressionsTooLate',
    fires: {
      'exchange_impression_calls_total{outcome="replayed-too-late",environment="live",instance="edge-1:9090"}':
        '0x4 3x9',
    },
    labels: EDGE,
    ...{ at: '6m', notYetAt: '4m' },
    quiet: {
      'exchange_impression_calls_total{outcome="replayed-billed",environment="live",instance="edge-1:9090"}': '0x4 3x9',
    },
  },
  {
    alert: 'ExchangeImpressionsTooLate',
    // Of an edge that started after an outage, and replayed its spool before its first scrape.
    fires: {
      'exchange_impression_calls_total{outcome="replayed-too-late",environment="live",instance="edge-1:9090"}':
        '_x20 1234x400',
      'process_start_time_seconds{instance="edge-1:9090"}': '_x20 1180x400',
    },
    labels: EDGE,
    ...{ at: '70m', notYetAt: '19m' },
    quiet: {
      'exchange_impression_calls_total{outcome="replayed-too-late",environment="live",instance="edge-1:9090"}':
        '_x20 0x400',
      'process_start_time_seconds{instance="edge-1:9090"}': '_x20 1180x400',
    },
  },
  {
    alert: 'ExchangeImpressionsTooLate',
    // And tells of it for an hour.
    fires: {
      'exchange_impression_calls_total{outcome="replayed-too-late",environment="live",instance="edge-1:9090"}': '7x400',
      'process_start_time_seconds{instance="edge-1:9090"}': '0x400',
    },
    labels: EDGE,
    at: '58m',
    quiet: {
      'exchange_impression_calls_total{outcome="replayed-too-late",environment="live",instance="edge-1:9090"}': '7x400',
      'process_start_time_seconds{instance="edge-1:9090"}': '-7200x400',
    },
  },
  {
    alert: 'ExchangeForeignSpool',
    fires: { 'exchange_spool_foreign_files{instance="edge-1:9090"}': '1x90' },
    labels: EDGE,
    ...{ at: '62m', notYetAt: '58m' },
    quiet: { 'exchange_spool_foreign_files{instance="edge-1:9090"}': '0x90' },
  },
  {
    alert: 'ExchangeBilledBeyondLeases',
    fires: { budget_billed_beyond_leases_nanos_total: '0x4 4900x10' },
    ...{ at: '6m', notYetAt: '4m' },
    quiet: { budget_billed_beyond_leases_nanos_total: '0x20' },
  },
  {
    alert: 'ExchangeStatementsHeldOpen',
    fires: { 'billing_statements_held_open{month="2026-10"}': '2x90' },
    labels: { month: '2026-10' },
    ...{ at: '62m', notYetAt: '58m' },
    quiet: { 'billing_statements_held_open{month="2026-10"}': '2x30 0x60' },
  },
  {
    alert: 'ExchangeHoursNotFiled',
    // Two hours before the time at which the clock of promtool begins.
    fires: {
      'books_filed_timestamp_seconds{kind="ledger",instance="a"}': '-7200x90',
      'books_filed_timestamp_seconds{kind="facts",instance="a"}': '-7200x20 0x70',
    },
    ...{ at: '66m', notYetAt: '59m' },
    quiet: {
      'books_filed_timestamp_seconds{kind="ledger",instance="a"}': '-7200x20 0x70',
      'books_filed_timestamp_seconds{kind="ledger",instance="b"}': '-7200x90',
    },
  },
  {
    alert: 'ExchangeCountsLogAway',
    fires: {
      'exchange_facts_log_up{instance="edge-1:9090"}': '1x4 0x20',
      'exchange_facts_log_up{instance="edge-2:9090"}': '1x24',
    },
    labels: EDGE,
    ...{ at: '7m', notYetAt: '4m' },
    quiet: { 'exchange_facts_log_up{instance="edge-1:9090"}': '1x24' },
  },
  {
    alert: 'ExchangeCountsBehind',
    fires: {
      'actor_partitions{log="facts",instance="a"}': '64x30',
      'actor_partitions_owned{log="facts",instance="a"}': '64x4 60x30',
    },
    ...{ at: '16m', notYetAt: '13m' },
    quiet: {
      'actor_partitions{log="facts",instance="a"}': '64x30',
      'actor_partitions_owned{log="facts",instance="a"}': '32x30',
      'actor_partitions_owned{log="facts",instance="b"}': '32x30',
      'actor_partition_length{log="facts",instance="a",partition="1"}': '9000x30',
      'actor_partition_length{log="main",instance="a",partition="1"}': '20000x30',
    },
  },
  {
    alert: 'ExchangeCountsBehind',
    fires: { 'actor_partition_length{log="facts",instance="a",partition="1"}': '20000x30' },
    labels: { instance: 'a' },
    ...{ at: '12m', notYetAt: '8m' },
    quiet: { 'actor_partition_length{log="facts",instance="a",partition="1"}': '20000x5 10x25' },
  },
  {
    alert: 'ExchangeCountsDropped',
    fires: { 'exchange_fact_updates_dropped_total{instance="edge-1:9090"}': '0x4 40x20' },
    labels: EDGE,
    ...{ at: '6m', notYetAt: '4m' },
    quiet: {
      'exchange_fact_updates_dropped_total{instance="edge-1:9090"}': '40x24',
      'exchange_fact_updates_waiting{instance="edge-1:9090"}': '0+40x24',
    },
  },
  {
    alert: 'ExchangeCountsDropped',
    fires: { 'actor_messages_total{kind="facts",outcome="rejected",log="facts",instance="a"}': '0x4 3x20' },
    labels: { instance: 'a' },
    ...{ at: '6m', notYetAt: '4m' },
    quiet: {
      'actor_messages_total{kind="facts",outcome="applied",log="facts",instance="a"}': '0+300x24',
      'actor_messages_total{kind="budget",outcome="rejected",log="main",instance="a"}': '0+3x24',
    },
  },
  {
    alert: 'ExchangeAdRequestErrors',
    fires: {
      'exchange_ad_requests_total{code="200"}': '0+1000x30',
      'exchange_ad_requests_total{code="503"}': '0+20x30',
    },
    at: '12m',
    notYetAt: '3m',
    quiet: {
      'exchange_ad_requests_total{code="200"}': '0+1000x30',
      'exchange_ad_requests_total{code="400"}': '0+500x30',
      'exchange_ad_requests_total{code="503"}': '0+5x30',
    },
  },
  {
    alert: 'ExchangeAdLatencyBurn',
    fires: {
      'exchange_ad_request_seconds_bucket{le="0.2"}': '0+800x90',
      exchange_ad_request_seconds_count: '0+1000x90',
    },
    at: '10m',
    quiet: {
      'exchange_ad_request_seconds_bucket{le="0.2"}': '0+990x90',
      exchange_ad_request_seconds_count: '0+1000x90',
    },
  },
  {
    alert: 'ExchangeAdRequestsShed',
    fires: { 'exchange_requests_shed_total{instance="edge-1:9090"}': '0x4 0+60x30' },
    labels: EDGE,
    ...{ at: '15m', notYetAt: '4m' },
    quiet: { 'exchange_requests_shed_total{instance="edge-1:9090"}': '0x4 9x30' },
  },
  {
    alert: 'ExchangeTrafficStopped',
    fires: { 'exchange_auctions_total{environment="live"}': '0+600x65 39000x60' },
    ...{ at: '85m', notYetAt: '70m' },
    quiet: { 'exchange_auctions_total{environment="sandbox"}': '0+600x65 39000x60' },
  },
  {
    alert: 'ExchangeTrafficStopped',
    // No edge is left that is scraped.
    fires: { 'exchange_auctions_total{environment="live"}': '0+150x480 _x300' },
    ...{ at: '500m', notYetAt: '482m' },
    quiet: { 'exchange_auctions_total{environment="live"}': '0+150x800' },
  },
  {
    alert: 'ExchangeApiErrors',
    fires: {
      'exchange_api_request_seconds_count{status="2xx"}': '0+100x30',
      'exchange_api_request_seconds_count{status="5xx"}': '0+10x30',
    },
    ...{ at: '12m', notYetAt: '3m' },
    quiet: {
      'exchange_api_request_seconds_count{status="2xx"}': '0+100x30',
      'exchange_api_request_seconds_count{status="4xx"}': '0+50x30',
      'exchange_api_request_seconds_count{status="5xx"}': '0+1x30',
    },
  },
  {
    alert: 'ExchangeBidderBreakerOpen',
    fires: {
      'exchange_bidder_breaker_state{dsp="a",state="open",instance="edge-1:9090"}': '0x4 1x20',
      'exchange_bidder_breaker_state{dsp="b",state="open",instance="edge-1:9090"}': '0x24',
    },
    labels: { dsp: 'a' },
    ...{ at: '11m', notYetAt: '8m' },
    quiet: {
      'exchange_bidder_breaker_state{dsp="a",state="closed",instance="edge-1:9090"}': '1x20',
      'exchange_bidder_breaker_state{dsp="a",state="half_open",instance="edge-1:9090"}': '1x20',
    },
  },
  {
    alert: 'ExchangeBidderTimeouts',
    fires: {
      'exchange_dsp_bid_requests_total{dsp="a",environment="live"}': '0+100x60',
      'exchange_dsp_timeouts_total{dsp="a",environment="live"}': '0+40x60',
    },
    labels: { dsp: 'a' },
    ...{ at: '30m', notYetAt: '10m' },
    quiet: {
      'exchange_dsp_bid_requests_total{dsp="a",environment="live"}': '0+100x60',
      'exchange_dsp_timeouts_total{dsp="a",environment="live"}': '0+10x60',
      'exchange_dsp_bid_requests_total{dsp="quiet",environment="live"}': '0+1x60',
      'exchange_dsp_timeouts_total{dsp="quiet",environment="live"}': '0+1x60',
    },
  },
  {
    alert: 'ExchangeNoticesLost',
    fires: { 'exchange_notices_total{kind="billing",outcome="failed",instance="edge-1:9090"}': '0+60x60' },
    labels: { ...EDGE, kind: 'billing' },
    ...{ at: '30m', notYetAt: '10m' },
    quiet: { 'exchange_notices_total{kind="billing",outcome="delivered",instance="edge-1:9090"}': '0+60x60' },
  },
  {
    alert: 'ExchangeDown',
    fires: { 'up{job="exchange",instance="edge-1:9090"}': '1x4 0x10' },
    labels: { ...EDGE, job: 'exchange' },
    ...{ at: '7m', notYetAt: '4m' },
    quiet: { 'up{job="exchange",instance="edge-1:9090"}': '1x10', 'up{job="other",instance="x"}': '0x10' },
  },
  {
    alert: 'ExchangeWorkerDown',
    fires: {
      'exchange_process_up{process="edge-1",instance="edge-1:9090"}': '1x20',
      'exchange_process_up{process="edge-2",instance="edge-1:9090"}': '1x4 0x10',
    },
    labels: { ...EDGE, process: 'edge-2' },
    ...{ at: '7m', notYetAt: '4m' },
    quiet: { 'exchange_process_up{process="edge-2",instance="edge-1:9090"}': '1x4 0x0 1x10' },
  },
  {
    alert: 'ExchangePartitionsUnowned',
    fires: {
      'actor_partitions{log="main",instance="a"}': '64x20',
      'actor_partitions{log="main",instance="b"}': '64x20',
      'actor_partitions_owned{log="main",instance="a"}': '32x20',
      'actor_partitions_owned{log="main",instance="b"}': '32x4 0x16',
      'actor_partitions_owned{log="facts",instance="a"}': '64x20',
    },
    ...{ at: '8m', notYetAt: '5m' },
    quiet: {
      'actor_partitions{log="main",instance="a"}': '64x20',
      'actor_partitions_owned{log="main",instance="a"}': '32x20',
      'actor_partitions_owned{log="main",instance="b"}': '32x20',
      'actor_partitions{log="facts",instance="a"}': '64x20',
      'actor_partitions_owned{log="facts",instance="a"}': '0x20',
    },
  },
  {
    alert: 'ExchangePartitionsLag',
    fires: { 'actor_partition_length{log="main",instance="a",partition="3"}': '20000x30' },
    labels: { instance: 'a' },
    ...{ at: '12m', notYetAt: '8m' },
    quiet: {
      'actor_partition_length{log="main",instance="a",partition="3"}': '9000x30',
      'actor_partition_length{log="facts",instance="a",partition="3"}': '20000x30',
    },
  },
  {
    alert: 'ExchangePartitionsRestart',
    fires: { 'actor_session_failures_total{cause="StoreUnavailable"}': '0x4 0+5x20' },
    labels: { cause: 'StoreUnavailable' },
    ...{ at: '20m', notYetAt: '4m' },
    quiet: { 'actor_session_failures_total{cause="StoreUnavailable"}': '0x4 5x20' },
  },
  {
    alert: 'ExchangeNodeUnfit',
    fires: { 'actor_node_fit{instance="a"}': '1x4 0x10' },
    labels: { instance: 'a' },
    ...{ at: '8m', notYetAt: '5m' },
    quiet: { 'actor_node_fit{instance="a"}': '1x10' },
  },
  {
    alert: 'ExchangeEventLoopLag',
    fires: { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.5x30' },
    labels: { instance: 'a' },
    ...{ at: '12m', notYetAt: '8m' },
    quiet: { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.02x30' },
  },
  {
    alert: 'ExchangeRedisNotInSync',
    fires: { exchange_redis_not_in_sync_total: '0x4 1x10' },
    ...{ at: '6m', notYetAt: '4m' },
    quiet: { exchange_redis_not_in_sync_total: '1x30' },
  },
  {
    alert: 'ExchangeRedisNotInSync',
    fires: {
      'exchange_redis_not_in_sync_total{instance="a"}': '_x20 1x40',
      'process_start_time_seconds{instance="a"}': '_x20 1180x40',
    },
    ...{ at: '21m', notYetAt: '19m' },
    quiet: {
      'exchange_redis_not_in_sync_total{instance="a"}': '1x60',
      'process_start_time_seconds{instance="a"}': '-3600x60',
    },
  },
  {
    alert: 'ExchangeRegionRelayBehind',
    fires: { 'exchange_region_relay_behind_seconds{instance="a"}': '0x4 90x30' },
    labels: { instance: 'a' },
    ...{ at: '8m', notYetAt: '5m' },
    quiet: { 'exchange_region_relay_behind_seconds{instance="a"}': '1x30' },
  },
  {
    alert: 'ExchangeRegionWrittenOff',
    fires: { 'exchange_region_written_off{instance="a"}': '0x4 1x10' },
    labels: { instance: 'a' },
    ...{ at: '6m', notYetAt: '4m' },
    quiet: { 'exchange_region_written_off{instance="a"}': '0x30' },
  },
  {
    alert: 'ExchangeRedisErrors',
    fires: { 'exchange_redis_command_errors_total{cause="late",instance="a"}': '0+60x30' },
    labels: { instance: 'a' },
    ...{ at: '12m', notYetAt: '3m' },
    quiet: { 'exchange_redis_command_errors_total{cause="late",instance="a"}': '0x4 2x30' },
  },
  {
    alert: 'ExchangeRedisSlow',
    fires: {
      'exchange_redis_command_seconds_bucket{le="0.1",instance="a"}': '0+900x30',
      'exchange_redis_command_seconds_bucket{le="0.25",instance="a"}': '0+1000x30',
      'exchange_redis_command_seconds_bucket{le="+Inf",instance="a"}': '0+1000x30',
    },
    labels: { instance: 'a' },
    ...{ at: '15m', notYetAt: '8m' },
    quiet: {
      'exchange_redis_command_seconds_bucket{le="0.1",instance="a"}': '0+1000x30',
      'exchange_redis_command_seconds_bucket{le="+Inf",instance="a"}': '0+1000x30',
    },
  },
  {
    alert: 'ExchangeRedisMemoryShort',
    fires: { exchange_redis_memory_used_ratio: '0.5x4 0.8x20' },
    ...{ at: '11m', notYetAt: '8m' },
    quiet: { exchange_redis_memory_used_ratio: '0.7x20' },
  },
  {
    alert: 'ExchangeStoreErrors',
    fires: { 'store_errors_total{operation="save",instance="a"}': '0+60x30' },
    labels: { instance: 'a' },
    ...{ at: '12m', notYetAt: '3m' },
    quiet: { 'store_errors_total{operation="save",instance="a"}': '0x4 2x30' },
  },
  {
    alert: 'ExchangeStoreSlow',
    fires: {
      'store_operation_seconds_bucket{operation="save",le="0.5",instance="a"}': '0+900x30',
      'store_operation_seconds_bucket{operation="save",le="1",instance="a"}': '0+1000x30',
      'store_operation_seconds_bucket{operation="save",le="+Inf",instance="a"}': '0+1000x30',
    },
    labels: { instance: 'a' },
    ...{ at: '15m', notYetAt: '8m' },
    quiet: {
      'store_operation_seconds_bucket{operation="query",le="0.5",instance="a"}': '0+900x30',
      'store_operation_seconds_bucket{operation="query",le="+Inf",instance="a"}': '0+1000x30',
      'store_operation_seconds_bucket{operation="save",le="0.5",instance="a"}': '0+1000x30',
      'store_operation_seconds_bucket{operation="save",le="+Inf",instance="a"}': '0+1000x30',
    },
  },
  {
    alert: 'ExchangeNoLeader',
    fires: { 'scheduler_holds_right{instance="a"}': '1x4 0x20' },
    ...{ at: '11m', notYetAt: '8m' },
    quiet: { 'scheduler_holds_right{instance="a"}': '0x20', 'scheduler_holds_right{instance="b"}': '1x20' },
  },
  {
    alert: 'ExchangeJobOverdue',
    // Time begins at 0 in these cases.
    fires: { 'scheduler_job_due_timestamp_seconds{job_name="audit",instance="a"}': '600x120' },
    labels: { job_name: 'audit' },
    ...{ at: '77m', notYetAt: '69m' },
    quiet: {
      'scheduler_job_due_timestamp_seconds{job_name="audit",instance="a"}': '600x20 90000x100',
    },
  },
  {
    alert: 'ExchangeWebhooksOverdue',
    fires: { 'webhook_overdue_seconds{instance="a"}': '0+60x60' },
    ...{ at: '30m', notYetAt: '20m' },
    quiet: { 'webhook_overdue_seconds{instance="a"}': '0+60x5 0x50' },
  },
  {
    alert: 'ExchangeLogLevelDataHeld',
    fires: { 'exchange_log_level_outcomes_total{outcome="held",instance="a"}': '0x9 1x5 2x15' },
    ...{ at: '12m', notYetAt: '9m' },
    quiet: {
      'exchange_log_level_outcomes_total{outcome="held",instance="a"}': '2x30',
      'exchange_log_level_outcomes_total{outcome="complete",instance="a"}': '0+1x30',
    },
  },
  {
    alert: 'ExchangeLogLevelDataLate',
    fires: {
      'exchange_log_level_lag_seconds{instance="a"}': '0+300x20',
      'scheduler_holds_right{instance="a"}': '1x20',
    },
    ...{ at: '13m', notYetAt: '11m' },
    quiet: {
      'exchange_log_level_lag_seconds{instance="a"}': '0+300x6 0+300x6 0x20',
      'scheduler_holds_right{instance="a"}': '1x40',
      // Which has led before, and says what it saw then.
      'exchange_log_level_lag_seconds{instance="b"}': '9000x40',
      'scheduler_holds_right{instance="b"}': '0x40',
    },
  },
];

import { CHOSEN, type Dashboard, quantiles, rate } from './dashboard.ts';

export const RUNTIME: Dashboard = {
  name: 'exchange-runtime',
  title: 'Exchange: actors and processes',
  description: 'Partitions, messages and saves of actors, the management API, and the processes themselves.',
  rows: [
    {
      title: 'Actors',
      panels: [
        {
          title: 'Partitions without an owner',
          description: 'Partitions of the log that nobody reads. Alert: ExchangePartitionsUnowned.',
          unit: 'short',
          series: [['max by (log) (actor_partitions) - sum by (log) (actor_partitions_owned)', '{{log}}']],
        },
        {
          title: 'Partitions by process',
          description: 'Partitions that a process owns.',
          unit: 'short',
          series: [[`actor_partitions_owned{${CHOSEN}}`, '{{instance}} {{log}}']],
        },
        {
          title: 'Lag',
          description:
            'Messages of the longest partition that no saved state covers yet. Alert: ExchangePartitionsLag above 10,000.',
          unit: 'short',
          series: [[`max by (instance, log) (actor_partition_length{${CHOSEN}})`, '{{instance}} {{log}}']],
        },
        {
          title: 'Messages',
          description: 'Messages handled, by kind of actor.',
          unit: 'short',
          series: [[rate('actor_messages_total', ['kind']), '{{kind}}']],
        },
        {
          title: 'Messages that were not applied',
          description: 'By outcome: rejected, repeated, parked.',
          unit: 'short',
          series: [[rate('actor_messages_total', ['outcome'], 'outcome!="applied"'), '{{outcome}}']],
        },
        {
          title: 'Time of asks',
          description: 'From an ask to its reply.',
          unit: 's',
          series: quantiles('actor_ask_seconds'),
        },
        {
          title: 'Time of saves',
          description: 'All documents of a batch.',
          unit: 's',
          series: quantiles('actor_save_seconds'),
        },
        {
          title: 'Parked, timed out, begun anew',
          description:
            'Messages parked, asks without a reply in time, sessions of partitions that ended with an error.',
          unit: 'short',
          series: [
            [rate('actor_dead_letters_total'), 'parked'],
            [rate('actor_asks_timed_out_total'), 'asks timed out'],
            [rate('actor_session_failures_total', ['cause']), 'sessions: {{cause}}'],
          ],
        },
        {
          title: 'Actors in memory',
          description: 'Actors that are active, and those in quarantine, whose state cannot be stored.',
          unit: 'short',
          series: [
            [`sum by (instance) (actor_activations{${CHOSEN}})`, '{{instance}}'],
            [`sum by (kind) (actor_quarantined{${CHOSEN}}) > 0`, 'quarantined: {{kind}}'],
          ],
        },
      ],
    },
    {
      title: 'Counts of edges',
      panels: [
        {
          title: 'Ledgers that counts wait for',
          description: 'Under load they are sent every 15 s, those of campaigns every 30 s.',
          unit: 'short',
          series: [[`exchange_fact_updates_waiting{${CHOSEN}}`, '{{instance}}']],
        },
        {
          title: 'Counts that reports lack',
          description:
            'Updates of one ledger each: dropped by an edge after 2 minutes, refused as too late, or of unknown outcome. Alert: ExchangeCountsDropped.',
          unit: 'short',
          series: [
            [rate('exchange_fact_updates_dropped_total', ['instance']), '{{instance}} dropped'],
            [
              rate('actor_messages_total', ['instance'], 'kind=~"facts|ledger", outcome="rejected"'),
              '{{instance}} too late',
            ],
            [rate('exchange_fact_messages_lost_total', ['instance']), '{{instance}} unknown'],
          ],
        },
        {
          title: 'Lag of the log of counts',
          description:
            'Messages of the longest partition that no saved state covers yet, where FACTS_REDIS_URL is set. Alert: ExchangeCountsBehind above 10,000.',
          unit: 'short',
          series: [[`max by (instance) (actor_partition_length{${CHOSEN}, log="facts"})`, '{{instance}}']],
        },
        {
          title: 'Redis of counts',
          description:
            '0 where a process does not reach it, where FACTS_REDIS_URL is set. Alert: ExchangeCountsLogAway.',
          unit: 'short',
          series: [
            [`exchange_facts_log_up{${CHOSEN}}`, '{{instance}}'],
            [`exchange_facts_log_away{${CHOSEN}} > 0`, '{{instance}} takes no counts'],
          ],
        },
        {
          title: 'Memory of the Redis of counts',
          description: 'Share of maxmemory that the fullest server uses. Counts wait in edges from 90 % on.',
          unit: 'percentunit',
          series: [['max(exchange_facts_log_memory_used_ratio)', 'used']],
        },
      ],
    },
    {
      title: 'Management API',
      panels: [
        {
          title: 'Calls by status',
          description: 'Calls of the management API by class of status.',
          unit: 'reqps',
          series: [[rate('exchange_api_request_seconds_count', ['status']), '{{status}}']],
          isStacked: true,
        },
        {
          title: 'Time of calls',
          description: 'Of all routes.',
          unit: 's',
          series: quantiles('exchange_api_request_seconds'),
        },
        {
          title: 'Slowest routes',
          description: 'The ten routes with the highest mean time.',
          unit: 's',
          series: [
            [
              `topk(10, ${rate('exchange_api_request_seconds_sum', ['route', 'method'])} / ${rate('exchange_api_request_seconds_count', ['route', 'method'])})`,
              '{{method}} {{route}}',
            ],
          ],
        },
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          title: 'Processor',
          description: 'Cores in use; a process of Node uses little more than one.',
          unit: 'short',
          series: [[rate('process_cpu_seconds_total', ['instance']), '{{instance}}']],
        },
        {
          title: 'Memory',
          description: 'Resident memory.',
          unit: 'bytes',
          series: [[`process_resident_memory_bytes{${CHOSEN}}`, '{{instance}}']],
        },
        {
          title: 'Heap',
          description: 'The part of V8’s heap that is in use.',
          unit: 'bytes',
          series: [[`nodejs_heap_size_used_bytes{${CHOSEN}}`, '{{instance}}']],
        },
        {
          title: 'Event loop',
          description: 'How late one of a hundred turns is.',
          unit: 's',
          series: [[`nodejs_eventloop_lag_p99_seconds{${CHOSEN}}`, '{{instance}}']],
        },
        {
          title: 'Garbage collection',
          description: 'Share of the time that collections take.',
          unit: 'percentunit',
          series: [[rate('nodejs_gc_duration_seconds_sum', ['instance', 'kind']), '{{instance}} {{kind}}']],
        },
        {
          title: 'Releases',
          description: 'Processes by version, commit and version of Node.',
          unit: 'short',
          series: [
            [
              'count by (version, revision, node_version) (exchange_build_info)',
              '{{version}} {{revision}} {{node_version}}',
            ],
          ],
          isFigure: true,
        },
      ],
    },
  ],
};

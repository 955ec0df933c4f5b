import { CHOSEN, type Dashboard, quantile, quantiles, rate } from './dashboard.ts';

export const STORES: Dashboard = {
  name: 'exchange-stores',
  title: 'Exchange: Redis and MongoDB',
  description: 'The log and the store as the processes of the exchange meet them.',
  rows: [
    {
      title: 'Redis',
      panels: [
        {
          title: 'Time of commands',
          description:
            'From sending a command to its answer, the wait for replicas included. Alert: ExchangeRedisSlow above 100 ms.',
          unit: 's',
          series: quantiles('exchange_redis_command_seconds'),
        },
        {
          title: 'Commands',
          description: 'Commands that were answered.',
          unit: 'ops',
          series: [[rate('exchange_redis_command_seconds_count', ['instance']), '{{instance}}']],
        },
        {
          title: 'Errors',
          description:
            'Commands that were refused (failed) or not answered in time (late). Alert: ExchangeRedisErrors.',
          unit: 'ops',
          series: [[rate('exchange_redis_command_errors_total', ['instance', 'cause']), '{{instance}} {{cause}}']],
        },
        {
          title: 'Memory',
          description: 'Share of maxmemory that the fullest server uses. Producers are refused from 90 % on.',
          unit: 'percentunit',
          series: [['max(exchange_redis_memory_used_ratio)', 'used']],
        },
        {
          title: 'Commands in flight',
          description: 'Commands that wait for their answer.',
          unit: 'short',
          series: [[`exchange_redis_commands_in_flight{${CHOSEN}}`, '{{instance}}']],
        },
        {
          title: 'Servers not in sync',
          description:
            'How often a server was found that may lack what was acknowledged, in an hour. Alert: ExchangeRedisNotInSync.',
          unit: 'short',
          series: [['sum(increase(exchange_redis_not_in_sync_total[1h]))', 'found']],
        },
        {
          title: 'Regions behind home',
          description:
            'For how long a relay has not seen that its part of the region is at home. Alert: ExchangeRegionRelayBehind.',
          unit: 's',
          series: [[`exchange_region_relay_behind_seconds{${CHOSEN}}`, '{{instance}}']],
        },
        {
          title: 'Regions written off',
          description:
            'Processes whose log of their region was written off, so that they sell nothing. Alert: ExchangeRegionWrittenOff.',
          unit: 'short',
          series: [[`exchange_region_written_off{${CHOSEN}}`, '{{instance}}']],
        },
        {
          title: 'Backlog of regions',
          description: 'Impressions that stand in the logs of regions and are not at home, or not known to be.',
          unit: 'short',
          series: [[`exchange_region_relay_backlog_entries{${CHOSEN}}`, '{{instance}}']],
        },
      ],
    },
    {
      title: 'Store',
      panels: [
        {
          title: 'Time of operations',
          description: 'The 95th percentile, by operation of the store.',
          unit: 's',
          series: [[quantile(0.95, 'store_operation_seconds', ['operation']), '{{operation}}']],
        },
        {
          title: 'Operations',
          description: 'By operation of the store.',
          unit: 'ops',
          series: [[rate('store_operation_seconds_count', ['operation']), '{{operation}}']],
        },
        {
          title: 'Errors',
          description:
            'Operations that failed: the store was away or did not answer in time. Alert: ExchangeStoreErrors.',
          unit: 'ops',
          series: [[rate('store_errors_total', ['instance', 'operation']), '{{instance}} {{operation}}']],
        },
        {
          title: 'Connections to MongoDB',
          description: 'In use and idle.',
          unit: 'short',
          series: [[`sum by (instance, state) (exchange_mongodb_connections{${CHOSEN}})`, '{{instance}} {{state}}']],
        },
        {
          title: 'Waiting for a connection',
          description: 'Operations that wait for a connection, and those that got none.',
          unit: 'short',
          series: [
            [`exchange_mongodb_checkouts_waiting{${CHOSEN}}`, '{{instance}} waiting'],
            [rate('exchange_mongodb_checkout_failures_total', ['instance']), '{{instance}} failed'],
          ],
        },
        {
          title: 'Indexes under way',
          description: 'Kinds of actors whose indexes are being made: lists of them come slower until then.',
          unit: 'short',
          series: [['max(store_unindexed_kinds)', 'kinds']],
        },
      ],
    },
  ],
};

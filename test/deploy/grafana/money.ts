import { CHOSEN, type Dashboard, rate } from './dashboard.ts';

export const MONEY: Dashboard = {
  name: 'exchange-money',
  title: 'Exchange: money and watermark',
  description:
    'Whether what was shown is billed, and whether the books are complete and agree. The ledgers have the books.',
  rows: [
    {
      title: 'Books',
      panels: [
        {
          title: 'Watermark lag',
          description:
            'For how long it has not been seen that all ledgers are complete. Alert: ExchangeBooksBehind above 5 minutes.',
          unit: 's',
          series: [['max(books_watermark_lag_seconds)', 'lag']],
        },
        {
          title: 'Audit differences',
          description: 'What the last nightly audit found. Alert: ExchangeAuditDifference.',
          unit: 'short',
          series: [['max by (of) (audit_differences)', '{{of}}']],
          isFigure: true,
        },
        {
          title: 'Dead letters that wait',
          description: 'As the hourly report has them, by kind. Alert: ExchangeDeadLettersWaiting.',
          unit: 'short',
          series: [['max by (kind) (dead_letters_waiting)', '{{kind}}']],
          isFigure: true,
        },
        {
          title: 'Statements held open',
          description:
            'Statements of a closed month that wait, for a dead letter mostly. Alert: ExchangeStatementsHeldOpen.',
          unit: 'short',
          series: [['max by (month) (billing_statements_held_open)', '{{month}}']],
          isFigure: true,
        },
        {
          title: 'Time since the last hour that is filed',
          description:
            'Up to when ledgers of hours are in those of their days; an hour and some minutes at most. Alert: ExchangeHoursNotFiled above 3 hours.',
          unit: 's',
          series: [['time() - max by (kind) (books_filed_timestamp_seconds)', '{{kind}}']],
        },
        {
          title: 'Statements frozen by the job',
          description: 'In a day.',
          unit: 'short',
          series: [['sum(increase(billing_statements_frozen_total[1d]))', 'frozen']],
        },
        {
          title: 'Billed beyond leases',
          description:
            'Nano-dollars of limited budgets that no edge had leased. More than 0: a master secret has leaked.',
          unit: 'short',
          series: [['sum(increase(budget_billed_beyond_leases_nanos_total[1d]))', 'nano-dollars']],
        },
      ],
    },
    {
      title: 'Impressions',
      panels: [
        {
          title: 'Earnings of publishers',
          description: 'A minute, at these edges, as impressions were billed: a figure of the moment.',
          unit: 'currencyUSD',
          series: [[`60 * ${rate('exchange_publisher_earnings_dollars_total', ['environment'])}`, '{{environment}}']],
        },
        {
          title: 'Impressions that were not billed',
          description: 'Genuine calls of pixels that moved no money, by outcome; live.',
          unit: 'reqps',
          series: [
            [
              rate(
                'exchange_impression_calls_total',
                ['outcome'],
                'environment="live", outcome!~"billed|replayed-billed"',
              ),
              '{{outcome}}',
            ],
          ],
        },
        {
          title: 'Spool',
          description:
            'Impressions on the disks of edges that the log has not taken. Alert: ExchangeImpressionsSpooled.',
          unit: 'bytes',
          series: [[`exchange_spool_bytes{${CHOSEN}}`, '{{instance}}']],
        },
        {
          title: 'Waiting for the log',
          description: 'Impressions whose callers wait.',
          unit: 'short',
          series: [[`exchange_impressions_waiting{${CHOSEN}}`, '{{instance}}']],
        },
        {
          title: 'Partitions away',
          description: 'Partitions of the log that take no impressions of an edge.',
          unit: 'short',
          series: [[`exchange_log_partitions_away{${CHOSEN}}`, '{{instance}}']],
        },
        {
          title: 'Alarms',
          description: 'Signs that acknowledged messages may be lost, in a day. Alert: ExchangeMessagesMayBeLost.',
          unit: 'short',
          series: [['sum by (alarm) (increase(actor_alarms_total[1d]))', '{{alarm}}']],
        },
      ],
    },
    {
      title: 'Jobs and webhooks',
      panels: [
        {
          title: 'Time since a job has run',
          description: 'Since its last run that did not fail.',
          unit: 's',
          series: [['time() - max by (job_name) (scheduler_job_last_success_timestamp_seconds)', '{{job_name}}']],
        },
        {
          title: 'Overdue jobs',
          description: 'For how long no run has finished that was due. Alert: ExchangeJobOverdue above an hour.',
          unit: 's',
          series: [
            ['clamp_min(time() - max by (job_name) (scheduler_job_due_timestamp_seconds), 0) > 60', '{{job_name}}'],
          ],
        },
        {
          title: 'Runs of jobs that failed',
          description: 'In an hour.',
          unit: 'short',
          series: [['sum by (job_name) (increase(scheduler_runs_total{outcome="failed"}[1h]))', '{{job_name}}']],
        },
        {
          title: 'Webhooks: attempts',
          description: 'POSTs to webhooks, by whether they were acknowledged.',
          unit: 'reqps',
          series: [[rate('webhook_attempts_total', ['outcome']), '{{outcome}}']],
        },
        {
          title: 'Webhooks: backlog',
          description: 'Webhooks with deliveries that wait.',
          unit: 'short',
          series: [['max(webhook_queues_open)', 'webhooks']],
        },
        {
          title: 'Webhooks: overdue',
          description: 'How late the most overdue delivery is. Alert: ExchangeWebhooksOverdue above 15 minutes.',
          unit: 's',
          series: [['max(webhook_overdue_seconds)', 'overdue']],
        },
      ],
    },
  ],
};

import { rowsShownIn, type Section } from '../row.ts';

const objects: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      [
        'platform',
        'Platform metrics',
        'period generated_at auctions impressions fill_rate revenue_cents bid_requests_sent rps_current p50_ms p95_ms p99_ms regions',
      ],
      [
        'publisher',
        'Publisher metrics',
        'publisher_id publisher_name period impressions fill_rate revenue_cents ecpm_cents bid_requests p50_ms p95_ms p99_ms dsp_breakdown',
      ],
      [
        'supply-stats',
        'Supply source stats',
        'publisher_id period impressions fill_rate revenue_cents ecpm_cents bid_requests p50_ms p95_ms p99_ms',
      ],
      [
        'dsp',
        'DSP metrics',
        'dsp_id dsp_name period bid_requests bids wins impressions win_rate spend_cents avg_cpm_cents publisher_breakdown',
      ],
      [
        'dsp-stats',
        'DSP stats',
        'dsp_id period bid_requests bids wins impressions win_rate spend_cents avg_cpm_cents timeout_rate p50_ms p95_ms',
      ],
    ] as const
  ).flatMap(([object, name, fields]) =>
    fields.split(' ').map((field) => [`metrics.${object}.${field}`, `${name} have \`${field}\`.`] as const),
  ),
);

export const metrics: Section = {
  title: 'Metrics',
  rows: [
    ...rowsShownIn('metrics.test.ts', {
      ...objects,
      'metrics.platform.region': 'A region is `{rps, fill_rate}` under its code.',
      'metrics.publisher.breakdown':
        'A `dsp_breakdown` entry has `dsp_id`, `dsp_name`, `wins`, `spend_cents`, `avg_cpm_cents`.',
      'metrics.dsp.breakdown':
        'A `publisher_breakdown` entry has `publisher_id`, `publisher_name`, `wins`, `spend_cents`.',
      'metrics.endpoint.platform': '`GET /api/metrics` answers the platform object.',
      'metrics.endpoint.publisher': '`GET /api/metrics/publisher/{publisher_id}` answers publisher metrics.',
      'metrics.endpoint.dsp': '`GET /api/metrics/dsp/{dsp_id}` answers DSP metrics.',
      'metrics.endpoint.supply-stats': '`GET /api/supply/sources/{id}/stats` answers supply source stats.',
      'metrics.endpoint.dsp-stats': '`GET /api/demand/sources/{id}/stats` answers DSP stats.',
      'metrics.endpoint.404': 'Metrics of an unknown source are 404 NOT_FOUND.',
      'metrics.period.1h': '`period=1h` is accepted.',
      'metrics.period.6h': '`period=6h` is accepted.',
      'metrics.period.today': '`period=today` is accepted.',
      'metrics.period.24h': '`period=24h` is accepted.',
      'metrics.period.7d': '`period=7d` is accepted.',
      'metrics.period.30d': '`period=30d` is accepted.',
      'metrics.period.default': '`period` defaults to `24h`.',
      'metrics.period.unknown': 'An unknown `period` is 400 INVALID_PARAMS, never clamped.',
      'metrics.region.one': '`region` is `fra`, `nyc` or `lon`, and narrows to it.',
      'metrics.region.default': 'Without `region` all regions count.',
      'metrics.region.unknown': 'An unknown `region` is 400 INVALID_PARAMS.',
      'metrics.sandbox.default': '`sandbox` defaults to `false`; a value that is neither is 400.',
      'metrics.sandbox.separate': 'Sandbox and live figures never mix.',
      'metrics.sandbox.source':
        'On `/api/metrics/publisher/{id}` and `/api/metrics/dsp/{id}` `sandbox` chooses the data, live data without it, of live sources and of a sandbox one.',
      'metrics.period.spans':
        '`24h`, `7d` and `30d` end with the running bucket and cover at least the time that they name.',
      'metrics.breakdown.time':
        '`breakdown=time` replaces the body by `{period, buckets: [{timestamp, impressions, revenue_cents}]}`.',
      'metrics.breakdown.hours': 'Buckets are 1 hour for `1h`, `6h`, `today`, `24h`.',
      'metrics.breakdown.days': 'Buckets are 1 day for `7d`, `30d`.',
      'metrics.breakdown.aligned': 'Buckets are aligned to UTC, zero-filled, oldest first.',
      'metrics.breakdown.creative':
        '`breakdown=creative` on DSP stats gives win rate, impressions and eCPM for each `crid`.',
      'metrics.breakdown.unknown': 'An unknown `breakdown` is 400 INVALID_PARAMS.',
    }),
    ...rowsShownIn('partners.test.ts', {
      'metrics.endpoint.partner':
        '`GET /api/metrics/partner` answers the same shape as platform metrics, of the partner.',
    }),
    ...rowsShownIn('metrics-lag.test.ts', {
      'metrics.period.trailing':
        '`1h` and `6h` are trailing windows, `today` runs from midnight UTC: of counts that ledgers are told as edges tell them.',
      'metrics.latency.merged':
        'Percentiles are those of all calls together, never averages of percentiles: of calls that ledgers are told as edges tell them.',
      'metrics.rps_current.live': '`rps_current` follows the rate of an edge, within 5 s.',
    }),
  ],
};

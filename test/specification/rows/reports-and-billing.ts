import { rowsShownIn, type Section } from '../row.ts';

export const reportsAndBilling: Section = {
  title: 'Source reports and billing',
  rows: rowsShownIn('reports-and-billing.test.ts', {
    'report.publisher.200': '`GET /api/source/report` answers the publisher report of the key’s source.',
    'report.publisher.period': '`period` is `24h`, `7d` (default), `14d` or `30d`; another is 400.',
    'report.dsp.200': '`GET /api/demand/report` answers the DSP report of the key’s source.',
    'report.dsp.period': '`period` is `24h`, `7d` (default), `14d` or `30d`; another is 400.',
    'report.own-source': 'A source key reads only its own source’s data.',
    'report.account-key': 'An account key on a source-level endpoint is 403.',
    'report.csv': 'Reports are CSV as well as JSON, by `Accept`.',
    'fees.read': 'Fees are read per source from fee configuration; 0 until configured.',
    'fees.write': '`PUT /api/fees/{source_id}` sets `fee_percent`.',
    'report.publisher.fields':
      'A publisher report has `publisher`, `publisher_id`, `period`, `month`, `impressions`, `revenue_cents`, `auctions`, `fill_rate`, `avg_cpm`.',
    'report.dsp.fields':
      'A DSP report has `dsp`, `dsp_id`, `period`, `month`, `spend_cents`, `wins`, `avg_cpm`; its `wins` are those of the invoice: rendered, and billed.',
    'billing.publisher.200': '`GET /api/source/billing` answers publisher billing.',
    'billing.publisher.month': '`month` is YYYY-MM, the current one by default; a malformed or future one is 400.',
    'billing.publisher.fields': 'Publisher billing has `publisher`, `publisher_id`, `month`, `status`, `payout`.',
    'billing.publisher.payout':
      '`payout` has `gross_revenue_cents`, `fee_percent`, `fee_cents`, `net_payout_cents`, `impressions`, `currency`.',
    'billing.publisher.net': 'Net payout = gross minus fee.',
    'billing.dsp.200': '`GET /api/demand/billing` answers DSP billing.',
    'billing.dsp.month': '`month` is YYYY-MM, the current one by default; a malformed or future one is 400.',
    'billing.dsp.fields': 'DSP billing has `dsp`, `dsp_id`, `month`, `status`, `invoice`.',
    'billing.dsp.invoice':
      '`invoice` has `spend_cents`, `fee_percent`, `fee_cents`, `total_due_cents`, `wins`, `currency`.',
    'billing.dsp.total': 'Total due = spend plus fee.',
    'billing.status': '`status` is `in_progress` or `finalized`.',
  }),
};

import { rowsShownIn, type Section } from '../row.ts';

export const partners: Section = {
  title: 'Partner endpoints',
  rows: rowsShownIn('partners.test.ts', {
    'partner.publishers': '`GET /api/partner/publishers` lists the partner’s publishers.',
    'partner.stats': '`GET /api/partner/stats` gives partner-scoped revenue.',
    'partner.dsps': '`GET /api/partner/dsps` lists the partner’s demand sources.',
    'partner.header-required': 'All three need `X-User-Partner-ID`: without it 403 FORBIDDEN.',
    'partner.report': '`GET /api/partner/report?publisher_id={id}` gives a daily breakdown for one publisher.',
    'partner.foreign': 'Another account’s partner is 403.',
  }),
};

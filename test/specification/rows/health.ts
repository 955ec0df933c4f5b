import { rowsShownIn, type Section } from '../row.ts';

export const health: Section = {
  title: 'Health, the sellers list and operations',
  rows: [
    ...rowsShownIn('service.test.ts', {
      'health.200': '`GET /api/health` needs no key and answers 200.',
      'health.status': '`status` is a string.',
      'health.region': '`region` is the region that the process runs in, here `fra`.',
      'health.version': '`version` is the running version.',
      'sellers.200': '`GET /sellers.json` needs no key and answers the sellers list.',
      'sellers.version': '`version` is the string `1.0`, as in the IAB format.',
      'sellers.seller_id': 'A seller’s `seller_id` is the supply source’s id.',
      'sellers.name': 'A seller has `name`.',
      'sellers.domain': 'A seller has `domain`.',
      'sellers.active-live': 'Active live sources are listed, sandbox and archived ones are not.',
      'sellers.cache': 'The list is cached for 1 hour.',
      'operations.livez': '`GET /livez` answers on the operations port.',
      'operations.readyz': '`GET /readyz` answers on the operations port.',
      'operations.metrics': '`GET /metrics` answers Prometheus text on the operations port.',
      'operations.apart': 'None of the three is on a public port.',
    }),
    ...rowsShownIn('sellers.test.ts', {
      'sellers.identifiers': '`identifiers` is a list of `{name, value}`, those of the settings.',
      'sellers.seller_type': 'A seller has `seller_type`: `PUBLISHER`, `INTERMEDIARY` or `BOTH`.',
      'sellers.is_confidential': 'A seller has `is_confidential`, 0 or 1; one that is confidential is not named.',
      'sellers.contact_email': '`contact_email` is what the settings say, and the operator’s address without.',
      'sellers.contact_address': '`contact_address` is what the settings say.',
    }),
  ],
};

import type { SecurityRows } from '../attack.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'publisher',
      attack: 'sells a bundle without a dot, a number of any store or any bundle beside its own domain as its own app',
      outcome: '403: a request names what the source has declared and nothing else',
      file: 'edge/screening/inventory.test.ts',
      title: 'is what the source has declared: further domains, bundles and numbers in stores',
    },
    {
      by: 'publisher',
      attack:
        'writes its own domain where only a browser sees that it is a user name: `https://own.example:443@rival.example/`',
      outcome: '403, and not verified: of a page the host counts that a browser would ask',
      file: 'exchange/fraud/identity.test.ts',
      title: 'is the one that a browser would ask, whatever is written before it',
    },
    {
      by: 'publisher',
      attack: 'puts the name and domain of another publisher, or a verification, into `site.publisher`',
      outcome: 'bidders get what the source is registered with, and `ext.verified` as the exchange knows it',
      file: 'edge/auction/outgoing-request.test.ts',
      title: 'by what it is registered with, whatever the caller says of name, domain and verification',
    },
    {
      by: 'publisher',
      attack: 'sells inventory whose ads.txt does not list the exchange',
      outcome: 'marked for bidders, the supply chain is not complete, and pools may refuse it (403)',
      file: 'edge/screening/inventory.test.ts',
      title: 'must be verified where the pool requires it, for the domain that its file was read for',
    },
    {
      by: 'keyless caller',
      attack: 'sells the inventory of a source that it has no key of',
      outcome: '401 where the source requires its key, in tags too',
      file: 'edge/screening/inventory.test.ts',
      title: 'needs the key of a source that requires it, in tags too',
    },
  ],
  budgets: [
    {
      of: 'caller',
      resource: 'entries',
      bound:
        '1,000 ad requests a second with neither key nor device of one address (`MAX_KEYLESS_REQUESTS_PER_SECOND_PER_ADDRESS`)',
      file: 'edge/screening/inventory.test.ts',
      title: 'is sold without a key and a device at a bounded rate for each address of a caller',
    },
  ],
};

import type { ExpectedSeller, SellerCheck } from '#exchange/ads-txt/check-seller';

export const SELLER = '5d0f2a9c-1b7e-4e0a-9a52-7c1f3e8b6d04';

export const expected: ExpectedSeller = {
  exchangeDomain: 'exchange.example',
  sellerId: SELLER,
  sellerType: 'PUBLISHER',
  certificationId: 'f08c47fec0942fa0',
  sellerDomain: 'news.example',
};

export interface FileCase {
  readonly title: string;
  readonly text: string;
  readonly expecting?: Partial<ExpectedSeller>;
  readonly is: `listed ${'DIRECT' | 'RESELLER'}` | Extract<SellerCheck, { kind: 'not-listed' }>['reason'];
  readonly warnings?: readonly string[];
}

/** Files as they are found on the Web, and what each says of this exchange. */
export const fileCases: readonly FileCase[] = [
  { title: 'the line alone', text: `exchange.example, ${SELLER}, DIRECT, f08c47fec0942fa0`, is: 'listed DIRECT' },
  { title: 'without certification id', text: `exchange.example,${SELLER},DIRECT`, is: 'listed DIRECT' },
  {
    title: 'among others, with comments, blank lines and tabs',
    text: `# ads.txt of News\n\ngoogle.com, pub-0000000000000000, DIRECT, f08c47fec0942fa0 # AdX\n\texchange.example\t,\t${SELLER} ,  DIRECT # ours\nrubiconproject.com, 12345, RESELLER, 0bfd66d529a55807\n`,
    is: 'listed DIRECT',
  },
  {
    title: 'with a byte-order mark before the line',
    text: `\ufeffexchange.example, ${SELLER}, DIRECT`,
    is: 'listed DIRECT',
  },
  {
    title: 'with lines ended by CR and LF',
    text: `google.com, pub-1, DIRECT\r\nexchange.example, ${SELLER}, DIRECT\r\n`,
    is: 'listed DIRECT',
  },
  {
    title: 'with lines ended by CR alone',
    text: `google.com, pub-1, DIRECT\rexchange.example, ${SELLER}, DIRECT\r`,
    is: 'listed DIRECT',
  },
  {
    title: 'in other case',
    text: `EXCHANGE.Example, ${SELLER.toUpperCase()}, Direct`,
    is: 'listed DIRECT',
  },
  {
    title: 'with extensions behind a semicolon',
    text: `exchange.example, ${SELLER}, DIRECT; something=else, more # and a comment`,
    is: 'listed DIRECT',
  },
  {
    title: 'with more fields than there are',
    text: `exchange.example, ${SELLER}, DIRECT, f08c47fec0942fa0, more, and more`,
    is: 'listed DIRECT',
  },
  {
    title: 'with a dot behind the domain',
    text: `exchange.example., ${SELLER}, DIRECT`,
    is: 'listed DIRECT',
  },
  {
    title: 'with an id escaped as in URLs',
    text: 'exchange.example, a%2Cb, DIRECT',
    expecting: { sellerId: 'a,b' },
    is: 'listed DIRECT',
  },
  {
    title: 'DIRECT and RESELLER, which is DIRECT',
    text: `exchange.example, ${SELLER}, RESELLER\nexchange.example, ${SELLER}, DIRECT`,
    is: 'listed DIRECT',
  },
  {
    title: 'RESELLER for a publisher that sells its own',
    text: `exchange.example, ${SELLER}, RESELLER`,
    is: 'listed RESELLER',
    warnings: ['relationship_differs'],
  },
  {
    title: 'RESELLER for an intermediary',
    text: `exchange.example, ${SELLER}, RESELLER`,
    expecting: { sellerType: 'INTERMEDIARY' },
    is: 'listed RESELLER',
  },
  {
    title: 'RESELLER for one that is both',
    text: `exchange.example, ${SELLER}, RESELLER`,
    expecting: { sellerType: 'BOTH' },
    is: 'listed RESELLER',
  },
  {
    title: "another's certification id",
    text: `exchange.example, ${SELLER}, DIRECT, 0123456789abcdef`,
    is: 'listed DIRECT',
    warnings: ['certification_id_differs'],
  },
  {
    title: 'an owner of the same root domain',
    text: `OWNERDOMAIN=www.news.example\nexchange.example, ${SELLER}, DIRECT`,
    is: 'listed DIRECT',
  },
  {
    title: 'another owner than sellers.json says',
    text: `ownerdomain = holding.example # since spring\nexchange.example, ${SELLER}, DIRECT`,
    is: 'listed DIRECT',
    warnings: ['owner_domain_differs'],
  },
  {
    title: 'another id of ours',
    text: 'exchange.example, 6e1a0000-0000-4000-8000-000000000000, DIRECT',
    is: 'seller_id_not_listed',
  },
  { title: 'others alone', text: `other.example, ${SELLER}, DIRECT`, is: 'exchange_not_listed' },
  {
    title: 'a subdomain of ours, which is another system',
    text: `ads.exchange.example, ${SELLER}, DIRECT`,
    is: 'exchange_not_listed',
  },
  { title: 'a misspelled relationship', text: `exchange.example, ${SELLER}, RESELLE`, is: 'exchange_not_listed' },
  { title: 'a relationship left out', text: `exchange.example, ${SELLER}`, is: 'exchange_not_listed' },
  { title: 'our line in a comment', text: `# exchange.example, ${SELLER}, DIRECT`, is: 'exchange_not_listed' },
  { title: 'our line behind a semicolon', text: `; exchange.example, ${SELLER}, DIRECT`, is: 'exchange_not_listed' },
  {
    title: 'the placeholder of those who authorise nobody',
    text: 'placeholder.example.com, placeholder, DIRECT, placeholder',
    is: 'exchange_not_listed',
  },
  { title: 'nothing', text: '', is: 'exchange_not_listed' },
  { title: 'a page', text: '<!doctype html><html><body>Not found</body></html>', is: 'exchange_not_listed' },
];

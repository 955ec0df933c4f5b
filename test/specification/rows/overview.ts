import { rowsOfLaterStage, rowsShownIn, rowsShownOnRealServersIn, type Section } from '../row.ts';

export const overview: Section = {
  title: 'What the service does',
  rows: [
    ...rowsShownIn('auction.test.ts', {
      'overview.first-price': 'The highest valid bid wins and pays its own price: auctions are first-price.',
      'overview.mode.rtb': 'An `rtb` demand source is sent an OpenRTB bid request at its endpoint.',
      'overview.subscription': 'Only demand sources that subscribe to the publisher’s pool are asked.',
      'overview.format.video': 'Video is auctioned, as VAST.',
      'overview.format.banner': 'Banners are auctioned.',
      'overview.format.native': 'Native is auctioned, as Native 1.2 JSON.',
      'overview.format.audio': 'Audio is auctioned.',
      'overview.blocked':
        'A blocked ad request, one with an invalid floor, is answered 403 and reaches no demand source (others: overview.fraud).',
      'overview.same-base-url':
        'Live and sandbox data share one {base_url} and one {rtb_url}; the switch is per request.',
    }),
    ...rowsShownIn('bidder-failures.test.ts', {
      'overview.mode.rtb.150ms': 'A bidder that has not answered within 150 ms has no part in the auction.',
    }),
    ...rowsShownIn('delegate-auctions.test.ts', {
      'overview.mode.delegate': 'A `delegate` demand source’s strategy is evaluated in-process.',
    }),
    ...rowsShownIn('tags.test.ts', {
      'overview.format.mraid': 'MRAID rich media is auctioned.',
    }),
    ...rowsShownIn('screening.test.ts', {
      'overview.fraud': 'An ad request that fraud filtering blocks is answered 403 and reaches no demand source.',
    }),
    ...rowsShownOnRealServersIn('regions.test.ts', {
      'overview.regions': 'Edges of `fra`, `nyc` and `lon` serve the same publisher and book into one set of ledgers.',
      'overview.strategy-change':
        'A strategy change takes effect within 30 seconds at edges of `fra`, `nyc` and `lon`.',
    }),
    ...rowsOfLaterStage('regions', {
      'overview.regions.nearest': 'A publisher is served from the nearest region, without choosing an address.',
    }),
  ],
};

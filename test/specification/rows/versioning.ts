import { rowsShownIn, type Section } from '../row.ts';

export const versioning: Section = {
  title: 'Versioning',
  rows: [
    ...rowsShownIn('strategy.test.ts', {
      'version.strategy': 'A strategy carries its own `version`.',
    }),
    ...rowsShownIn('campaigns.test.ts', {
      'version.campaign': 'The Campaign API is v2.0 and accepts v1.0 campaigns.',
    }),
    ...rowsShownIn('service.test.ts', {
      'version.health': '`GET /api/health` returns the running `version`, a semantic one.',
      'version.sellers': 'sellers.json is of the IAB format, version 1.0.',
    }),
    ...rowsShownIn('auction.test.ts', {
      'version.openrtb.2.5': 'Bid requests are understood and written as OpenRTB 2.5.',
      'version.openrtb.2.6': 'Bid requests are understood and written as OpenRTB 2.6.',
      'version.native': 'Native is OpenRTB Native 1.2.',
    }),
    ...rowsShownIn('tags.test.ts', {
      'version.vast': 'VAST 2.0 to 4.2 is served.',
    }),
  ],
};

import { rowsShownIn, rowsShownOnRealServersIn, type Section } from '../row.ts';

export const tracking: Section = {
  title: 'Impression tracking',
  rows: [
    ...rowsShownIn('tracking.test.ts', {
      'tracking.200': '`GET /track/impression` answers 200 and needs no key.',
      'tracking.gif': 'The answer is `image/gif`, a GIF of 43 bytes, 1x1, transparent.',
      'tracking.no-store': 'The answer is `no-store`.',
      'tracking.query.id': '`id` is the auction id.',
      'tracking.query.pub': '`pub` is the publisher id.',
      'tracking.query.dsp': '`dsp` is the winning demand source’s id.',
      'tracking.query.price': '`price` is the clearing price × 1,000,000.',
      'tracking.query.partner': '`partner` is the partner id, where there is one.',
      'tracking.confirms': 'A call confirms an impression and counts revenue.',
      'tracking.server-to-server': 'The URL can be called server to server, with no cookie, referrer or browser.',
      'tracking.once': 'A repeated call is answered alike and bills nothing.',
      'tracking.forged': 'A URL that a client builds or alters itself is answered alike and bills nothing.',
      'tracking.meaningless': 'A call without parameters is answered alike.',
      'tracking.late': 'A call after the render window is answered alike and bills nothing.',
      'tracking.method': 'Another method than GET is 405 and bills nothing.',
    }),
    ...rowsShownOnRealServersIn('tracking-outage.test.ts', {
      'tracking.spool':
        'While the log cannot be reached the pixel is answered 200 all the same, and bills once when the log is back.',
    }),
  ],
};

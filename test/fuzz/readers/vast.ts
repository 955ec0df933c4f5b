import { formatOf } from '#exchange/auction/ad-format';
import { firstInsecureUrl } from '#exchange/auction/secure-markup';
import { injectTracking } from '#exchange/creative/inject-tracking';
import { asksForMraid } from '#exchange/creative/render/asks-for-mraid';
import { podAdOf } from '#exchange/vast/pod';
import { readVast } from '#exchange/vast/read-vast';

const inline = `<Ad id="1"><InLine><AdSystem version="1">a</AdSystem><AdTitle>b</AdTitle><Impression><![CDATA[https://i.test/]]></Impression>
<Creatives><Creative><Linear skipoffset="00:00:05"><Duration>00:00:15</Duration><TrackingEvents><Tracking event="start">https://t.test/</Tracking></TrackingEvents>
<VideoClicks><ClickThrough>https://c.test/</ClickThrough></VideoClicks><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://m.test/a.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives>
<Extensions><Extension xmlns:x="urn:x"><x:a b="c">d</x:a></Extension></Extensions></InLine></Ad>`;

export const vastSamples = [
  `<?xml version="1.0"?><VAST version="4.2" xmlns="http://www.iab.com/VAST">${inline}</VAST>`,
  `<!-- one --><VAST version="2.0">${inline}${inline}</VAST>`,
  '<VAST version="3.0"><Ad><Wrapper><AdSystem>w</AdSystem><VASTAdTagURI>http://w.test/</VASTAdTagURI><Impression/></Wrapper></Ad></VAST>',
  '<script src="https://cdn.test/mraid.js"></script><a href="http://a.test/"><img src=\'http://b.test/\'></a>',
];

/**
 * As an edge does with the markup of a bid: what it is, what it loads, how long it plays, and with our tracker in it.
 */
export function readMarkup(text: string): void {
  formatOf({ id: '1', impid: '1', price: 1, adm: text }, { id: '1', banner: {}, video: { mimes: ['video/mp4'] } });
  firstInsecureUrl(text);
  asksForMraid(text);
  readVast(text);
  podAdOf(text, undefined);
  const viewUrl = (event: string): string => `https://edge.test/${event}`;
  for (const format of ['video', 'audio', 'banner'] as const)
    injectTracking(format, text, 'https://edge.test/', { viewUrl });
}

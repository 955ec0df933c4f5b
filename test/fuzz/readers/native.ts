import { injectTracking } from '#exchange/creative/inject-tracking';
import { nativeRequestText } from '#exchange/openrtb/native-request-shape';

const asset = { id: 1, required: 1, title: { len: 90 } };

export const nativeSamples = [
  {
    native: {
      ver: '1.2',
      assets: [asset, { id: 2, img: { type: 3, w: 1, h: 1 } }],
      eventtrackers: [{ event: 1, methods: [1] }],
    },
  },
  {
    assets: [{ id: 1, title: { text: 'A title' } }],
    link: { url: 'https://a.test/', clicktrackers: [] },
    imptrackers: ['https://b.test/'],
  },
  { ver: '1.2', context: 1, contextsubtype: 11, plcmttype: 1, assets: [{ id: 3, data: { type: 1 } }] },
].map((document) => JSON.stringify(document));

/** A request of a publisher's and an answer of a bidder's alike. What comes out of the latter can be read again. */
export function readNative(text: string): void {
  nativeRequestText(text);
  const imp = { id: '1', native: { request: nativeSamples[0]! } };
  const injection = injectTracking('native', text, 'https://edge.test/', {
    imp,
    viewUrl: (event) => `https://edge.test/${event}`,
  });
  if (injection.ok) JSON.parse(injection.adm);
}

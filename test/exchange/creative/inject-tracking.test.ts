import { expect } from 'chai';
import { injectTracking } from '#exchange/creative/inject-tracking';

const TRACKER = 'https://edge.test/track/impression?id=1&pub="2"&t=x.y.z';

function native(adm: unknown): unknown {
  const injection = injectTracking('native', JSON.stringify(adm), TRACKER);
  return injection.ok ? JSON.parse(injection.adm) : injection.reason;
}

describe('the tracker in markup', () => {
  it('is a hidden 1×1 image before all that the DSP sent, of a banner', () => {
    const injection = injectTracking('banner', '<!doctype html><p>an ad</p>', TRACKER);
    expect(injection).to.deep.equal({
      ok: true,
      adm:
        '<img src="https://edge.test/track/impression?id=1&amp;pub=&quot;2&quot;&amp;t=x.y.z" ' +
        'width="1" height="1" alt="" style="display:none"><!doctype html><p>an ad</p>',
    });
  });

  it('is an Impression of a video and of an audio ad', () => {
    const vast = '<VAST version="4.1"><Ad adType="audio"><InLine><Impression>a</Impression></InLine></Ad></VAST>';
    for (const format of ['video', 'audio'] as const) {
      const injection = injectTracking(format, vast, TRACKER);
      expect(injection.ok && injection.adm).to.contain(`<Impression><![CDATA[${TRACKER}]]></Impression>`);
    }
  });

  it('is an event tracker of a native ad, beside those of the DSP', () => {
    const own = { event: 1, method: 1, url: 'https://dsp.test/1' };
    const tracker = { event: 1, method: 1, url: TRACKER };
    expect(native({ assets: [], eventtrackers: [own], ext: { kept: true } })).to.deep.equal({
      assets: [],
      eventtrackers: [own, tracker],
      ext: { kept: true },
    });
    expect(native({ native: { assets: [], link: {} } })).to.deep.equal({
      native: { assets: [], link: {}, eventtrackers: [tracker] },
    });
  });

  it('is an imptracker of a native ad that has only those', () => {
    expect(native({ assets: [], imptrackers: ['https://dsp.test/1'] })).to.deep.equal({
      assets: [],
      imptrackers: ['https://dsp.test/1', TRACKER],
    });
    const both = native({ assets: [], imptrackers: ['a'], eventtrackers: [] }) as Record<string, unknown[]>;
    expect([both.imptrackers, both.eventtrackers]).to.deep.equal([['a'], [{ event: 1, method: 1, url: TRACKER }]]);
  });

  it('is an imptracker of a native ad whose renderer was made before event trackers', () => {
    const own = [{ event: 1, method: 1, url: 'https://dsp.test/1' }];
    const injected = (request: object, adm: object) => {
      const imp = { id: '1', native: { request: JSON.stringify(request) } };
      const injection = injectTracking('native', JSON.stringify(adm), TRACKER, { imp });
      return injection.ok ? JSON.parse(injection.adm) : injection.reason;
    };
    const ad = { link: {}, assets: [] };
    for (const ver of ['1', '1.0', '1.1']) {
      expect(injected({ ver, assets: [] }, ad), ver).to.deep.equal({ ...ad, imptrackers: [TRACKER] });
    }
    expect(injected({ native: { assets: [] } }, ad)).to.deep.equal({ native: { ...ad, imptrackers: [TRACKER] } });
    expect(injected({ ver: '1.1', assets: [] }, { ...ad, eventtrackers: own, imptrackers: ['a'] })).to.deep.equal({
      ...ad,
      eventtrackers: own,
      imptrackers: ['a', TRACKER],
    });
    for (const request of [
      { ver: '1.2', assets: [] },
      { ver: '1.1', assets: [], eventtrackers: [{ event: 1, methods: [1] }] },
    ]) {
      expect(injected(request, ad)).to.deep.equal({ ...ad, eventtrackers: [{ event: 1, method: 1, url: TRACKER }] });
    }
  });

  it('is an imptracker of a native ad whose renderer calls no image for impressions', () => {
    const own = [{ event: 1, method: 2, url: 'https://dsp.test/1.js' }];
    for (const eventtrackers of [[], [{ event: 1, methods: [2] }], [{ event: 2, methods: [1] }], [{ event: 1 }]]) {
      const request = JSON.stringify({ ver: '1.2', assets: [], eventtrackers });
      const adm = JSON.stringify({ assets: [], eventtrackers: own });
      const injection = injectTracking('native', adm, TRACKER, { imp: { id: '1', native: { request } } });
      const injected = { assets: [], eventtrackers: own, imptrackers: [TRACKER] };
      expect(injection.ok && JSON.parse(injection.adm), request).to.deep.equal(injected);
    }
  });

  describe('with viewability trackers', () => {
    const viewUrl = (told: string) => `https://edge.test/track/view?event=${told}`;
    const image = (event: number, url: string) => ({ event, method: 1, url });
    const trackers = (eventtrackers: object[], adm: object) => {
      const imp = { id: '1', native: { request: JSON.stringify({ ver: '1.2', assets: [], eventtrackers }) } };
      const injection = injectTracking('native', JSON.stringify(adm), TRACKER, { imp, viewUrl });
      if (!injection.ok) throw new Error(injection.message);
      return JSON.parse(injection.adm).eventtrackers;
    };
    const impression = { event: 1, methods: [1] };
    const text = { assets: [{ id: 1, title: { text: 't' } }] };
    const video = { assets: [...text.assets, { id: 2, video: { vasttag: '<VAST version="4.0"/>' } }] };

    it('asks a native renderer that says that it measures, and takes what it shows for measurable', () => {
      const measured = (event: number) => [
        image(1, TRACKER),
        image(1, viewUrl('measurable')),
        image(event, viewUrl('viewable')),
      ];
      const all = [impression, { event: 2, methods: [1, 2] }, { event: 3, methods: [1] }, { event: 4, methods: [1] }];
      expect(trackers(all, text), 'half for a second').to.deep.equal(measured(2));
      expect(trackers(all, video), 'half for two seconds').to.deep.equal(measured(4));
    });

    it('asks no other', () => {
      for (const [told, adm] of [
        [[impression], text],
        [[impression, { event: 2, methods: [2] }], text],
        [[impression, { event: 4, methods: [1] }], text],
        [[impression, { event: 2, methods: [1] }], video],
      ] as const) {
        expect(trackers([...told], adm)).to.deep.equal([image(1, TRACKER)]);
      }
    });

    it('asks no player what was seen of audio', () => {
      const vast = '<VAST version="4.2"><Ad><InLine><Impression>a</Impression></InLine></Ad></VAST>';
      for (const [format, asked] of [
        ['video', true],
        ['audio', false],
      ] as const) {
        const injection = injectTracking(format, vast, TRACKER, { viewUrl });
        expect(injection.ok && injection.adm.includes(viewUrl('viewable'))).to.equal(asked);
      }
    });
  });

  describe('with null for what a native request or response does not have', () => {
    const none = { title: null, img: null, video: null, data: null };
    const asked = { ...none, id: 1, required: 1, data: { type: 1 } };
    const imp = (eventtrackers: object[] | null = null) => {
      const request = JSON.stringify({ ver: '1.2', assets: [asked], eventtrackers });
      return { id: '1', native: { request } };
    };
    const injected = (adm: object, told?: object[]) => {
      const terms = { imp: imp(told), viewUrl: (event: string) => `https://edge.test/${event}` };
      const injection = injectTracking('native', JSON.stringify(adm), TRACKER, terms);
      return injection.ok ? JSON.parse(injection.adm) : injection.reason;
    };
    const tracker = { event: 1, method: 1, url: TRACKER };
    const datum = { id: 1, data: { value: 'Brand' } };

    it('finds the asset that the request requires', () => {
      expect(injected({ assets: [datum] })).to.deep.equal({ assets: [datum], eventtrackers: [tracker] });
      expect(injected({ assets: [{ id: 1, title: { text: 'T' } }] })).to.equal('native-asset-missing');
    });

    it('writes a response without its null fields, except those of ext', () => {
      const link = { url: 'https://dsp.test/', clicktrackers: null, fallback: null };
      const ext = { kept: null };
      const adm = { assets: [{ ...none, ...datum, ext }], link, eventtrackers: null, imptrackers: null, ext };
      expect(injected(adm)).to.deep.equal({
        assets: [{ ...datum, ext }],
        link: { url: link.url },
        eventtrackers: [tracker],
        ext,
      });
      const older = { assets: [datum], eventtrackers: null, imptrackers: ['https://dsp.test/i'] };
      expect(injected(older)).to.deep.equal({ assets: [datum], imptrackers: [...older.imptrackers, TRACKER] });
    });

    it('takes no assets elsewhere and no video for one', () => {
      expect(injected({ assets: [], assetsurl: null, dcourl: null })).to.equal('native-asset-missing');
      expect(injected({ assets: null, assetsurl: null })).to.equal('native-malformed');
      const { imptrackers, eventtrackers } = injected({ assets: [{ ...none, ...datum }] }, [
        { event: 2, methods: [1] },
      ]);
      expect(imptrackers).to.deep.equal([TRACKER, 'https://edge.test/measurable']);
      expect(eventtrackers).to.deep.equal([{ event: 2, method: 1, url: 'https://edge.test/viewable' }]);
    });
  });

  it('is refused by markup that cannot carry it', () => {
    for (const format of ['banner', 'video', 'audio', 'native'] as const) {
      expect(injectTracking(format, ' \n', TRACKER)).to.include({ ok: false, reason: 'markup-empty' });
    }
    const malformed = [[], 'text', { title: 'x' }, { assets: {} }, { assets: [], eventtrackers: {} }];
    for (const adm of [...malformed, { assets: [], imptrackers: 'a' }, null]) {
      expect(native(adm), JSON.stringify(adm)).to.equal('native-malformed');
    }
    expect(injectTracking('native', '{"assets":[', TRACKER)).to.include({ ok: false, reason: 'native-malformed' });
  });
});

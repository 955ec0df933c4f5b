import { expect } from 'chai';
import { injectTracking } from '../../../exchange/creative/inject-tracking.ts';

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

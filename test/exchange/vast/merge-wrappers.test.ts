import { expect } from 'chai';
import type { VastAd } from '#exchange/vast/ad';
import { mergeWrappers } from '#exchange/vast/merge-wrappers';
import { readVast } from '#exchange/vast/read-vast';
import type { VastWrapper } from '#exchange/vast/wrapper';

const resource = (name: string) =>
  `<StaticResource creativeType="image/png">https://m.example/${name}.png</StaticResource>`;

/** What a level of the chain wants, each URL naming its level. */
const parts = (level: string) => `<Error>e-${level}</Error><Impression>i-${level}</Impression>
  <ViewableImpression><Viewable>v-${level}</Viewable></ViewableImpression>
  <AdVerifications><Verification><JavaScriptResource>s-${level}</JavaScriptResource></Verification></AdVerifications>
  <Extensions><Extension><x>${level}</x></Extension></Extensions>`;
const linear = (level: string, more = '', icons = '') => `<Linear>${icons}
  <TrackingEvents><Tracking event="start">start-${level}</Tracking></TrackingEvents>
  <VideoClicks><ClickTracking>c-${level}</ClickTracking><CustomClick>cc-${level}</CustomClick>${more}</VideoClicks>`;

const wrapper = (level: string, creatives: string, attributes = '') =>
  `<VAST version="4.2"><Ad ${attributes}><Wrapper>${parts(level)}<Creatives>${creatives}</Creatives><VASTAdTagURI>u-${level}</VASTAdTagURI></Wrapper></Ad></VAST>`;
const inline = (creatives: string) =>
  `<VAST version="4.2"><Ad sequence="4"><InLine>${parts('in')}<Creatives>${creatives}</Creatives></InLine></Ad></VAST>`;
const inlineLinear = (more = '', icons = '') =>
  `<Creative>${linear('in', more, icons)}<Duration>15</Duration><MediaFiles><MediaFile>m</MediaFile></MediaFiles></Linear></Creative>`;
const wrapperLinear = (level: string, more = '', icons = '') =>
  `<Creative>${linear(level, more, icons)}</Linear></Creative>`;

function merged(inlineXml: string, ...wrappers: string[]): VastAd {
  const [ad, ...levels] = [inlineXml, ...wrappers].map((xml) => {
    const read = readVast(xml);
    if (!read.ok) throw new Error(read.message);
    return read.ads[0]!;
  });
  return mergeWrappers(ad as VastAd, levels as VastWrapper[]);
}

describe('an ad in its wrappers', () => {
  it('calls what every level wants called, outermost first', () => {
    const ad = merged(
      inline(inlineLinear()),
      wrapper('out', wrapperLinear('out'), 'sequence="2"'),
      wrapper('mid', wrapperLinear('mid')),
    );
    const order = ['out', 'mid', 'in'];
    expect(ad.errors).to.deep.equal(order.map((level) => `e-${level}`));
    expect(ad.impressions.map(({ url }) => url)).to.deep.equal(order.map((level) => `i-${level}`));
    expect(ad.viewableImpressions.flatMap(({ viewable }) => viewable)).to.deep.equal(
      order.map((level) => `v-${level}`),
    );
    expect(ad.verifications.flatMap(({ scripts }) => scripts.map(({ url }) => url))).to.deep.equal(
      order.map((level) => `s-${level}`),
    );
    expect(ad.extensions.map(({ xml }) => xml)).to.deep.equal(order.map((level) => `<x>${level}</x>`));
    const played = ad.creatives[0]!.linear!;
    expect(played.trackingEvents.map(({ url }) => url)).to.deep.equal(order.map((level) => `start-${level}`));
    expect(played.videoClicks.clickTracking.map(({ url }) => url)).to.deep.equal(order.map((level) => `c-${level}`));
    expect(played.videoClicks.customClicks.map(({ url }) => url)).to.deep.equal(order.map((level) => `cc-${level}`));
    expect(ad.sequence).to.equal(2);
  });

  it('is the ad itself without wrappers', () => {
    const ad = merged(inline(inlineLinear()));
    expect(mergeWrappers(ad, [])).to.equal(ad);
  });

  it('leads where the innermost level says that clicks lead', () => {
    const through = (level: string) => `<ClickThrough>to-${level}</ClickThrough>`;
    const where = (ad: VastAd) => ad.creatives[0]!.linear!.videoClicks.clickThrough?.url;
    expect(
      where(merged(inline(inlineLinear(through('in'))), wrapper('out', wrapperLinear('out', through('out'))))),
    ).to.equal('to-in');
    expect(
      where(
        merged(
          inline(inlineLinear()),
          wrapper('out', wrapperLinear('out', through('out'))),
          wrapper('mid', wrapperLinear('mid', through('mid'))),
        ),
      ),
    ).to.equal('to-mid');
  });

  it('has one icon for a program, the innermost, and icons of other programs', () => {
    const icons = (level: string, program: string) =>
      `<Icons><Icon program="${program}">${resource(level)}</Icon></Icons>`;
    const ad = merged(
      inline(inlineLinear('', icons('in', 'AdChoices'))),
      wrapper('out', wrapperLinear('out', '', icons('out', 'adchoices'))),
      wrapper('mid', wrapperLinear('mid', '', icons('mid', 'Other'))),
    );
    expect(ad.creatives[0]!.linear!.icons.map(({ resources }) => resources.static[0]!.url)).to.deep.equal([
      'https://m.example/in.png',
      'https://m.example/mid.png',
    ]);
  });

  it('offers companions of outer levels after its own, and tracks its own for those without a resource', () => {
    const companions = (...list: string[]) => `<Creative><CompanionAds>${list.join('')}</CompanionAds></Creative>`;
    const companion = (w: number, h: number, content: string) =>
      `<Companion width="${w}" height="${h}">${content}</Companion>`;
    const tracking =
      '<TrackingEvents><Tracking event="creativeView">view-out</Tracking></TrackingEvents><CompanionClickTracking>click-out</CompanionClickTracking>';
    const ad = merged(
      inline(inlineLinear() + companions(companion(300, 250, resource('in')))),
      wrapper(
        'out',
        companions(
          companion(300, 250, resource('same')),
          companion(728, 90, resource('other')),
          companion(300, 250, tracking),
        ),
      ),
    );
    const shown = ad.creatives.flatMap(({ companionAds }) => companionAds?.companions ?? []);
    expect(shown.map(({ resources }) => resources.static[0]!.url)).to.deep.equal([
      'https://m.example/in.png',
      'https://m.example/same.png',
      'https://m.example/other.png',
    ]);
    expect(shown[0]!.trackingEvents.map(({ url }) => url)).to.deep.equal(['view-out']);
    expect(shown[0]!.clickTracking.map(({ url }) => url)).to.deep.equal(['click-out']);
    expect(shown[1]!.trackingEvents).to.deep.equal([]);
  });

  it('tracks overlays at every level', () => {
    const overlay = (level: string, content: string) =>
      `<Creative><NonLinearAds><TrackingEvents><Tracking event="close">close-${level}</Tracking></TrackingEvents><NonLinear>${content}<NonLinearClickTracking>c-${level}</NonLinearClickTracking></NonLinear></NonLinearAds></Creative>`;
    const ad = merged(inline(overlay('in', resource('in'))), wrapper('out', overlay('out', '') + wrapperLinear('out')));
    const ads = ad.creatives[0]!.nonLinearAds!;
    expect(ads.trackingEvents.map(({ url }) => url)).to.deep.equal(['close-out', 'close-in']);
    expect(ads.nonLinears[0]!.clickTracking.map(({ url }) => url)).to.deep.equal(['c-out', 'c-in']);
    expect(ad.creatives[0]!.linear).to.equal(undefined);
  });
});

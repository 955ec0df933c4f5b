import { expect } from 'chai';
import type { VastAd } from '#exchange/vast/ad';
import { mapMedia, mediaOf } from '#exchange/vast/media';
import { readVast, readWithoutExtensions } from '#exchange/vast/read-vast';
import type { VastWrapper } from '#exchange/vast/wrapper';

const MEDIA =
  '<MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://m.example/a.mp4</MediaFile>';
const LINEAR = `<Linear><Duration>00:00:15</Duration><MediaFiles>${MEDIA}</MediaFiles></Linear>`;
const inline = (creative: string, parts = '') =>
  `<VAST version="4.2"><Ad id="1"><InLine>${parts}<Creatives><Creative>${creative}</Creative></Creatives></InLine></Ad></VAST>`;

function adsOf(xml: string): readonly (VastAd | VastWrapper)[] {
  const read = readVast(xml);
  if (!read.ok) throw new Error(`${read.reason}: ${read.message}`);
  return read.ads;
}

function inlineOf(xml: string): VastAd {
  const [ad] = adsOf(xml);
  if (ad?.kind !== 'inline') throw new Error('not an inline ad');
  return ad;
}

function refusal(xml: string): string {
  const read = readVast(xml);
  return read.ok ? 'accepted' : read.reason;
}

describe('VAST as it is read', () => {
  it('has no programs for addresses', () => {
    const program = '<![CDATA[ java\nscript:alert(1) ]]>';
    const ad = inlineOf(
      inline(
        LINEAR.replace(
          '</Linear>',
          `<VideoClicks><ClickThrough>${program}</ClickThrough><ClickTracking>JavaScript:x</ClickTracking></VideoClicks></Linear>`,
        ),
        `<Impression>${program}</Impression><Impression>vbscript:x</Impression><Impression>https://t.example/javascript:</Impression>`,
      ),
    );
    expect(ad.impressions).to.deep.equal([{ url: 'https://t.example/javascript:' }]);
    expect(JSON.stringify(ad.creatives)).to.not.match(/script:/i);
    const companion = `<CompanionAds><Companion width="1" height="1"><IFrameResource>${program}</IFrameResource></Companion></CompanionAds>`;
    expect(refusal(inline(companion))).to.equal(refusal(inline('')));
  });

  it('is XML 1.0, whatever it declares', () => {
    const declared = (content: string) => `<?xml version="1.1"?>${content}`;
    expect(refusal(declared(inline(LINEAR)))).to.equal('accepted');
    for (const character of ['&#1;', '&#x1f;', '&#xb;', '&#xfffe;']) {
      for (const content of [
        inline(LINEAR, `<Impression>${character}javascript:alert(1)</Impression>`),
        inline(LINEAR, `<Extensions><Extension><a b="${character}">c</a></Extension></Extensions>`),
      ]) {
        expect(refusal(declared(content)), declared(content)).to.equal('vast-malformed');
        expect(refusal(content), content).to.equal('vast-malformed');
      }
    }
    for (const half of ['\ud800', '\udc00']) {
      expect(refusal(inline(LINEAR, `<Impression>${half}javascript:alert(1)</Impression>`))).to.equal('vast-malformed');
    }
    expect(refusal(inline(LINEAR, '<Impression>https://t.example/\u{1f600}</Impression>'))).to.equal('accepted');
  });

  it('is known by its local names, in any case, with any prefix, past a byte-order mark', () => {
    const odd = `\ufeff \n<?xml version="1.0"?><v:Vast version=" 3.0 " xmlns:v="http://www.iab.com/VAST"><v:AD ID="7"><v:Inline>
      <v:ADSYSTEM Version="2">s</v:ADSYSTEM><v:impression>
        <![CDATA[ https://t.example/?a=1&b=2 ]]>
      </v:impression><v:Creatives><v:Creative AdID="c">${LINEAR.replaceAll('<', '<v:').replaceAll('<v:/', '</v:')}</v:Creative></v:Creatives>
      </v:Inline></v:AD></v:Vast>`;
    const ad = inlineOf(odd);
    expect(ad.id).to.equal('7');
    expect(ad.adSystem).to.deep.equal({ name: 's', version: '2' });
    expect(ad.impressions).to.deep.equal([{ url: 'https://t.example/?a=1&b=2' }]);
    expect(ad.creatives[0]).to.deep.include({ adId: 'c' });
    expect(ad.creatives[0]?.linear?.mediaFiles[0]).to.deep.include({ url: 'https://m.example/a.mp4', width: 640 });
  });

  it('has text from entities, CDATA and broken lines put together', () => {
    const ad = inlineOf(
      inline(
        LINEAR,
        '<AdTitle>a &amp; b<![CDATA[ <c> ]]>&#x64;</AdTitle><Error>https://e.example/?x=1\n   &amp;y=[ERRORCODE]</Error>',
      ),
    );
    expect(ad.adTitle).to.equal('a & b <c> d');
    expect(ad.errors).to.deep.equal(['https://e.example/?x=1   &y=[ERRORCODE]']);
  });

  it('has times and sizes in any of the forms of the field', () => {
    const linear = (duration: string, attributes = '') =>
      inlineOf(inline(LINEAR.replace('00:00:15', duration).replace('<Linear>', `<Linear ${attributes}>`))).creatives[0]!
        .linear!;
    expect(linear('00:00:15').durationMs).to.equal(15_000);
    expect(linear('01:00:00.5').durationMs).to.equal(3_600_500);
    expect(linear(' 00:15 ').durationMs).to.equal(15_000);
    expect(linear('30').durationMs).to.equal(30_000);
    expect(linear('99:00:00').durationMs).to.equal(86_399_999);
    expect(linear('15', 'skipoffset="00:00:05"').skipoffset).to.equal('00:00:05');
    expect(linear('15', 'skipoffset="5"').skipoffset).to.equal('00:00:05');
    expect(linear('15', 'skipoffset="50%"').skipoffset).to.equal('50%');
    expect(linear('15', 'skipoffset="soon"').skipoffset).to.equal(undefined);
  });

  it('keeps extensions so that they mean the same elsewhere', () => {
    const ad = inlineOf(
      `<v:VAST version="4.0" xmlns:v="http://www.iab.com/VAST" xmlns:x="urn:x"><v:Ad><v:InLine><v:Extensions>
        <v:Extension type="a"><x:One x:at="&lt;&quot;" b="c">t &amp; u<v:Two/></x:One></v:Extension>
        <v:Extension type="b"><Three xmlns="urn:three"><Four/><y:Five/></Three></v:Extension>
        <v:Extension type="c">text alone</v:Extension>
      </v:Extensions><v:Creatives><v:Creative>${LINEAR.replaceAll('<', '<v:').replaceAll('<v:/', '</v:')}</v:Creative></v:Creatives></v:InLine></v:Ad></v:VAST>`,
    );
    expect(ad.extensions).to.deep.equal([
      { type: 'a', xml: '<x:One xmlns:x="urn:x" x:at="&lt;&quot;" b="c">t &amp; u<Two/></x:One>' },
      {
        type: 'b',
        xml: '<Three xmlns="urn:three"><Four/><y:Five xmlns:y="urn:undeclared:y"/></Three>',
      },
    ]);
  });

  it('keeps the namespaces of elements in one another, and beside one another', () => {
    const xmlOf = (content: string) =>
      inlineOf(inline(LINEAR, `<Extensions xmlns:o="urn:o"><Extension>${content}</Extension></Extensions>`))
        .extensions[0]!.xml;
    const cases = [
      '<p:a xmlns:p="urn:1"><p:b/><p:b xmlns:p="urn:2"><p:c/></p:b><p:b/></p:a>',
      '<a xmlns="urn:1"><b xmlns=""><c/></b><d/></a>',
      '<a><p:b xmlns:p="urn:1" p:c="d"/><p:b xmlns:p="urn:2"/></a>',
    ];
    for (const content of cases) expect(xmlOf(content)).to.equal(content);
    expect(xmlOf('<a><o:b/><o:c><o:d xmlns:o="urn:p"/><o:e/></o:c></a>')).to.equal(
      '<a><o:b xmlns:o="urn:o"/><o:c xmlns:o="urn:o"><o:d xmlns:o="urn:p"/><o:e/></o:c></a>',
    );
    expect(xmlOf('<p:a xmlns:p="http://www.iab.com/VAST"><b xmlns="urn:1"><p:c/></b></p:a>')).to.equal(
      '<a><b xmlns="urn:1"><c xmlns=""/></b></a>',
    );
    expect(xmlOf('<a xmlns="urn:1" xmlns:p="http://www.iab.com/VAST" p:b="c"/>')).to.equal('<a xmlns="urn:1" b="c"/>');
  });

  it('is the same without its extensions where these are left out', () => {
    const extension = '<Extension type="t"><A/></Extension>';
    const linear = LINEAR.replace(
      '</Linear>',
      '<CreativeExtensions><CreativeExtension><B/></CreativeExtension></CreativeExtensions></Linear>',
    );
    const document = inline(linear, `<extensions>${extension}</extensions>`);
    expect(inlineOf(document).extensions).to.have.lengthOf(1);
    expect(inlineOf(document).creatives[0]!.extensions).to.have.lengthOf(1);
    expect(readWithoutExtensions(document)).to.deep.equal(readVast(inline(LINEAR)));
    expect(readWithoutExtensions(document.slice(1))).to.deep.equal(readVast(document.slice(1)));
  });

  it('finds verifications in the extension that stands for them before 4.1', () => {
    const verification =
      '<AdVerifications><Verification vendor="v"><JavaScriptResource apiFramework="omid">https://v.example/omid.js</JavaScriptResource></Verification></AdVerifications>';
    const before = inlineOf(
      inline(LINEAR, `<Extensions><Extension type="AdVerifications">${verification}</Extension></Extensions>`),
    );
    const since = inlineOf(inline(LINEAR, verification));
    expect(before.extensions).to.deep.equal([]);
    expect(before.verifications).to.deep.equal(since.verifications);
    expect(since.verifications[0]).to.deep.include({
      vendor: 'v',
      scripts: [{ apiFramework: 'omid', url: 'https://v.example/omid.js' }],
    });
  });

  it('is refused for VPAID when nothing else plays, and without it when something does', () => {
    const vpaid =
      '<MediaFile type="application/javascript" apiFramework="VPAID" width="1" height="1" delivery="progressive">https://v.example/v.js</MediaFile>';
    const files = (content: string) =>
      inline(`<Linear><Duration>15</Duration><MediaFiles>${content}</MediaFiles></Linear>`);
    expect(refusal(files(vpaid))).to.equal('vpaid-unsupported');
    expect(refusal(files(vpaid.replace('apiFramework="VPAID" ', '')))).to.equal('vpaid-unsupported');
    expect(refusal(inline('<NonLinearAds><NonLinear apiFramework="vpaid"/></NonLinearAds>'))).to.equal(
      'vpaid-unsupported',
    );
    const both = inlineOf(
      files(
        vpaid +
          MEDIA +
          '<InteractiveCreativeFile apiFramework="VPAID">https://v.example/i.js</InteractiveCreativeFile>',
      ),
    );
    expect(both.creatives[0]!.linear!.mediaFiles).to.have.length(1);
    expect(both.creatives[0]!.linear!.interactiveFiles).to.deep.equal([]);
    const simid =
      '<InteractiveCreativeFile apiFramework="SIMID" type="text/html">https://v.example/s.html</InteractiveCreativeFile>';
    expect(inlineOf(files(MEDIA + simid)).creatives[0]!.linear!.interactiveFiles).to.have.length(1);
  });

  it('leaves out an ad that cannot be shown, and keeps the others in order', () => {
    const ad = (id: string, creative: string) =>
      `<Ad id="${id}"><InLine><Creatives><Creative>${creative}</Creative></Creatives></InLine></Ad>`;
    const ads = adsOf(`<VAST version="3.0">${ad('a', LINEAR)}${ad('b', '<Linear/>')}${ad('c', LINEAR)}</VAST>`);
    expect(ads.map(({ id }) => id)).to.deep.equal(['a', 'c']);
  });

  it('is refused, with the reason, where it cannot be served', () => {
    expect(refusal('')).to.equal('vast-malformed');
    expect(refusal('<html><body>an ad</body></html>')).to.equal('vast-malformed');
    expect(refusal(inline(LINEAR).slice(0, -3))).to.equal('vast-malformed');
    expect(refusal(inline('<Linear><MediaFiles/></Linear>'))).to.equal('vast-malformed');
    expect(refusal('<VAST version="3.0"><Ad/></VAST>')).to.equal('vast-malformed');
    expect(refusal('<VAST version="3.0"><Ad><Wrapper/></Ad></VAST>')).to.equal('vast-malformed');
    expect(refusal('<VAST version="4.0"/>')).to.equal('vast-without-ad');
    expect(refusal(inline('<CompanionAds/>'))).to.equal('vast-without-media');
    expect(refusal('<VideoAdServingTemplate/>')).to.equal('vast-version-unsupported');
    expect(refusal('<VAST/>')).to.equal('vast-version-unsupported');
    expect(refusal('<VAST version="1.0"/>')).to.equal('vast-version-unsupported');
  });

  it('is refused where it would cost too much', () => {
    const bomb = `<!DOCTYPE VAST [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${inline(LINEAR, '<AdTitle>&b;</AdTitle>')}`;
    expect(refusal(bomb)).to.equal('vast-malformed');
    expect(refusal(`<!DOCTYPE VAST SYSTEM "file:///etc/passwd">${inline(LINEAR)}`)).to.equal('vast-malformed');
    expect(refusal(`<VAST version="3.0">${'<a>'.repeat(100)}`)).to.equal('vast-too-large');
    expect(refusal(`<VAST version="3.0">${'<a/>'.repeat(30_000)}</VAST>`)).to.equal('vast-too-large');
    const attributes = Array.from({ length: 20_000 }, (_, at) => `a${at}=""`).join(' ');
    expect(refusal(inline(LINEAR, `<AdTitle ${attributes}/>`))).to.equal('vast-too-large');
    expect(refusal(`<VAST version="3.0">${'<Ad><InLine/></Ad>'.repeat(101)}</VAST>`)).to.equal('vast-too-large');
    const namespace = `<Extensions><Extension xmlns:n="${'u'.repeat(300)}"><n:A/><n:A/></Extension></Extensions>`;
    expect(refusal(inline(LINEAR, namespace))).to.equal('vast-too-large');
    expect(refusal(inline(LINEAR, `<AdTitle>${'a'.repeat(1_100_000)}</AdTitle>`))).to.equal('vast-too-large');
  });

  it('names its media, and takes other URLs for them', () => {
    const ad = inlineOf(
      inline(
        `<Linear><Icons><Icon program="p"><StaticResource creativeType="image/png">https://m.example/i.png</StaticResource></Icon></Icons>
        <Duration>15</Duration><MediaFiles><ClosedCaptionFiles><ClosedCaptionFile type="text/vtt">https://m.example/c.vtt</ClosedCaptionFile></ClosedCaptionFiles>
        ${MEDIA}${MEDIA}<MediaFile delivery="streaming" type="application/x-mpegURL">https://m.example/a.m3u8</MediaFile>
        <Mezzanine type="video/mp4">https://m.example/raw.mov</Mezzanine></MediaFiles></Linear>
        <CompanionAds><Companion width="300" height="250"><StaticResource creativeType="image/jpeg">https://m.example/b.jpg</StaticResource><IFrameResource>https://f.example/</IFrameResource></Companion></CompanionAds>`,
        '<Impression>https://m.example/a.mp4</Impression>',
      ),
    );
    const media = mediaOf(ad);
    expect(
      media.map(({ url, role, streaming }) => `${role} ${url.slice(18)}${streaming ? ' streaming' : ''}`),
    ).to.have.members([
      'resource i.png',
      'captions c.vtt',
      'media-file a.mp4',
      'media-file a.m3u8 streaming',
      'mezzanine raw.mov',
      'resource b.jpg',
    ]);
    const hosted = mapMedia(ad, (url) => url.replace('https://m.example', '/creative'));
    expect(mediaOf(hosted).every(({ url }) => url.startsWith('/creative/'))).to.equal(true);
    expect(hosted.impressions).to.deep.equal([{ url: 'https://m.example/a.mp4' }]);
    expect(mapMedia(ad, (url) => url)).to.deep.equal(ad);
  });
});

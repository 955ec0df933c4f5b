import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { creative } from '#actors/creative/creative';
import { inertHtml } from '#gateways/management/resources/creatives/preview/inert-html';
import { PROVIDER_PAIRS } from '#test/support/exchange';
import { type Seen, tellSeen } from '#test/support/seen-creative';
import { errorOf } from '../management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from '../running-management.ts';

const IMAGE = 'https://cdn.example/ad.png';

describe('gateways/management/creatives: a bidder’s markup made inert', () => {
  const policyOf = (markup: string) =>
    /content="([^"]*)"/.exec(inertHtml(markup).document)![1]!.replaceAll('&amp;', '&');
  const bodyOf = (markup: string) => inertHtml(markup).document.split('<body style="margin:0">')[1]!;

  it('loads pictures that are seen, and no others', () => {
    const shown = [
      `<img src="${IMAGE}" width="300" height="250">`,
      `<img width=300 height=250 src=${IMAGE}?cb=1>`,
      `<IMG SRC='${IMAGE}'>`,
      `<img src="//cdn.example/ad.png" style="width: 300px">`,
      `<div style="background:url('${IMAGE}')">`,
    ];
    for (const markup of shown) expect(policyOf(markup), markup).to.include(`img-src data: ${IMAGE};`);
    const hidden = [
      `<img src="${IMAGE}" width="1" height="1">`,
      `<img src="${IMAGE}" width="0">`,
      `<img src="${IMAGE}" style="display:none">`,
      `<img src="${IMAGE}" style="width:1px;height:1px">`,
      `<img src="${IMAGE}" hidden>`,
      '<img src="https://track.example/imp?id=1">',
      '<img src="https://track.example/pixel.gif">',
      '<img src="javascript:alert(1)" width="300" height="250">',
      '<img data-src="https://cdn.example/ad.png" srcset="https://cdn.example/ad.png 2x">',
    ];
    for (const markup of hidden) expect(policyOf(markup), markup).to.include('img-src data:; ');
    for (const markup of [...shown, ...hidden]) expect(policyOf(markup)).to.match(/^default-src 'none'; /);
  });

  it('cannot widen what it may load', () => {
    const markup = `<img width=9 height=9 src="https://a.example/x;script-src *,'unsafe-inline'.png">`;
    expect(policyOf(markup)).to.include(
      'img-src data: https://a.example/x%3Bscript-src%20*%2C%27unsafe-inline%27.png;',
    );
    expect(policyOf('<img width=9 height=9 src="https://a.example/">'), 'a whole host').to.include('img-src data:; ');
    expect(policyOf(`<video src="${IMAGE}.mp4">`)).to.include(`media-src ${IMAGE}.mp4;`);
  });

  it('has no element that runs, loads a document or leads away', () => {
    const markup = [
      '<script src="https://a.example/a.js"></script><SCRIPT>top.location="https://a.example/"</SCRIPT>',
      '<noscript><img src="https://t.example/1.gif"></noscript><iframe src="https://a.example/"></iframe>',
      '<meta http-equiv="refresh" content="0;url=https://a.example/"><base href="https://a.example/">',
      '<link rel="stylesheet" href="https://a.example/a.css"><object data="x"></object><embed src="x">',
      '<form action="https://a.example/"></form><a href="https://brand.example/?a=1&amp;b=2">Go</a><area href="x">',
      '<script/src="https://a.example/b.js"></script>',
    ].join('');
    expect(bodyOf(markup)).to.not.match(/<\/?(script|noscript|iframe|meta|base|link|object|embed|form|a|area)[\s/>]/i);
    expect(inertHtml(markup)).to.include({ leftOut: true, landingUrl: 'https://brand.example/?a=1&b=2' });
    expect(inertHtml(`<a href="https://${'一'.repeat(64)}.test/">Go</a>`).landingUrl).to.equal(null);
    expect(inertHtml('<article>Text</article><abbr>A</abbr>')).to.include({ leftOut: false, landingUrl: null });
    expect(bodyOf('<article>Text</article>')).to.include('<article>Text</article>');
  });
});

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/previews of bidders' creatives on ${pair}`, () => {
    let running: RunningManagement;
    let own: AccountClients;

    before(async function () {
      running = await startManagement(this, pair, { settings: { publicCreativesUrl: 'https://files.example' } });
      own = await running.newAccount();
    });
    after(() => running?.close());

    const see = (fields: Partial<Seen>) => tellSeen(running.parts, { accountId: own.accountId, ...fields });
    const previewOf = async (id: string) => {
      const { status, body } = await own.api.get(`/api/creatives/${id}/preview`);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body;
    };
    const documentOf = async (id: string) => {
      const headers = { 'X-API-Key': own.liveKey, Accept: 'text/html' };
      const response = await fetch(`${running.baseUrl}/api/creatives/${id}/preview`, { headers });
      return { headers: response.headers, text: await response.text() };
    };
    const vast = (media: string) =>
      `<VAST version="3.0"><Ad id="1"><InLine><AdSystem>S</AdSystem><AdTitle>T</AdTitle><Impression>https://track.example/imp</Impression><Creatives><Creative><Linear><Duration>00:00:15</Duration><TrackingEvents><Tracking event="start">https://track.example/start</Tracking></TrackingEvents><VideoClicks><ClickThrough>https://brand.example/</ClickThrough></VideoClicks><MediaFiles>${media}</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;
    const mediaFile = (url: string) =>
      `<MediaFile delivery="progressive" type="video/mp4" width="640" height="360">${url}</MediaFile>`;

    it('show a banner in a frame in which nothing runs, with macros filled', async () => {
      const markup = `<img src="${IMAGE}" width="300" height="250"><i>\${AUCTION_PRICE}\${EXCHANGE_CACHE_BUSTER}</i><script>1</script>`;
      const id = await see({ markup, crid: 'banner' });
      const body = await previewOf(id);
      expect(body).to.include({
        creative_id: id,
        format: 'html5',
        ready: true,
        left_out: true,
        hosted: false,
        note: null,
      });
      expect(body.html).to.include('<i>0</i><template>1</template>');
      const { headers, text } = await documentOf(id);
      expect(text).to.equal(body.html);
      expect(headers.get('content-security-policy')).to.match(/^sandbox; script-src 'none'; connect-src 'none'/);
      expect(headers.get('x-frame-options')).to.equal('SAMEORIGIN');
    });

    it('show a video, and name none of its trackers', async () => {
      const id = await see({ markup: vast(mediaFile('https://cdn.example/v.mp4')), formats: ['video'], crid: 'video' });
      const body = await previewOf(id);
      expect(body).to.deep.include({
        ...{ format: 'video', ready: true, width: 640, height: 360, duration_ms: 15_000, html: null },
        landing_url: 'https://brand.example/',
      });
      const { text } = await documentOf(id);
      expect(text).to.include('<source src="https://cdn.example/v.mp4" type="video/mp4">');
      expect(text).to.not.include('track.example');
    });

    it('show what is hosted as it is hosted', async () => {
      const id = await see({
        markup: vast(mediaFile('https://cdn.example/v.mp4')),
        formats: ['video'],
        crid: 'hosted',
      });
      const path = `/creative/${'a'.repeat(64)}`;
      const markup = vast(mediaFile(`\${EXCHANGE_CREATIVES_URL}${path}`));
      const bytes = Buffer.from(JSON.stringify({ format: 'video', markup, vastVersion: '3.0' }));
      const file = createHash('sha256').update(bytes).digest('hex');
      const staged = join(running.folder, 'incoming', file);
      await writeFile(staged, bytes);
      await running.creatives.put(file, { path: staged, bytes: bytes.length, mimeType: 'application/json' });
      await running.node.messenger.ask(creative, id, 'hosted', { file, files: ['a'.repeat(64)] });
      const body = await previewOf(id);
      expect(body).to.include({ hosted: true, ready: true });
      expect(body.files[0].url).to.equal(`https://files.example${path}`);
      expect((await own.api.get(`/api/creatives/${id}`)).body.hosting).to.deep.equal({
        ...{ status: 'hosted', reason: null, files: [`https://files.example${path}`] },
      });
    });

    it('show what the bidder sent where the hosted file is gone', async () => {
      const id = await see({ crid: 'gone', declared: 'stable' });
      await running.node.messenger.ask(creative, id, 'hosted', { file: 'd'.repeat(64), files: [] });
      expect(await previewOf(id)).to.include({ hosted: false, ready: true, format: 'html5' });
    });

    it('show a native ad by its parts', async () => {
      const native = {
        link: { url: 'https://brand.example/' },
        assets: [
          { id: 1, title: { text: 'Walk <b>' } },
          { id: 2, img: { type: 3, url: IMAGE, w: 1200, h: 627 } },
          { id: 3, data: { type: 1, value: 'Boots' } },
          { id: 4, data: { type: 12, value: 'Go' } },
          { id: 5, img: { type: 1, url: 'javascript:1' } },
          7,
        ],
        imptrackers: ['https://track.example/imp'],
      };
      const id = await see({ markup: JSON.stringify({ native }), formats: ['native'], crid: 'native' });
      const body = await previewOf(id);
      expect(body).to.deep.include({ format: 'native', landing_url: 'https://brand.example/' });
      expect(body.native).to.deep.include({ title: 'Walk <b>', sponsored: 'Boots', cta: 'Go', body: null, icon: null });
      const { text } = await documentOf(id);
      expect(text).to.include('Walk &lt;b&gt;').and.not.include('track.example');
    });

    it("show a campaign's creative as the campaign's preview does, without its scripts", async () => {
      const markup = JSON.stringify({ creative_id: 'c', html: '<b>Hi</b><script>1</script>' });
      const id = await see({ markup, campaignId: 'campaign', crid: 'c' });
      const body = await previewOf(id);
      expect(body).to.include({ creative_id: id, format: 'html5', left_out: true });
      expect(body.html).to.include('<b>Hi</b><template>1</template>');
    });

    it('say why there is nothing to see', async () => {
      const wrapper =
        '<VAST version="3.0"><Ad><Wrapper><AdSystem>S</AdSystem><VASTAdTagURI>https://a.example/</VASTAdTagURI><Impression>https://a.example/i</Impression></Wrapper></Ad></VAST>';
      const vpaid =
        '<MediaFile delivery="progressive" type="application/javascript" apiFramework="VPAID" width="1" height="1">https://a.example/v.js</MediaFile>';
      for (const [markup, note] of [
        [null, /too large/],
        [wrapper, /wrapper/],
        ['<VAST version="3.0">', /cannot be read/],
        [vast(vpaid), /cannot be read|no file/],
      ] as const) {
        const body = await previewOf(await see({ markup, crid: String(note) }));
        expect(body.ready).to.equal(false);
        expect(body.note).to.match(note);
      }
      const { text } = await documentOf(await see({ markup: wrapper, crid: 'w' }));
      expect(text).to.include('It is a VAST wrapper');
    });

    it('are there for those who see the creative', async () => {
      const id = await see({ crid: 'mine' });
      const stranger = (await running.newAccount()).api;
      expect(errorOf(await stranger.get(`/api/creatives/${id}/preview`))).to.equal('404 NOT_FOUND');
    });
  });

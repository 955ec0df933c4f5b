import { expect } from 'chai';
import type { CreativeState } from '#actors/creative/reduce';
import {
  type CreativeOrigin,
  file,
  inlineVast,
  manyAds,
  redirect,
  startCreativeOrigin,
  status,
  vast,
  wrapperVast,
} from '#test/support/creative-origin';
import { H264_AAC_MP4, PNG_300_250 } from '#test/support/sample-media';
import { type RunningScanner, type Sighting, startRunningScanner } from './running-scanner.ts';

const page = file(Buffer.from('<!doctype html><title>A page</title>'), 'text/html');
const script = (code: string) => file(Buffer.from(code), 'text/javascript');

describe('gateways/creatives/scan of a malicious set', () => {
  let scanner: RunningScanner;
  let origin: CreativeOrigin;

  before(async function () {
    scanner = await startRunningScanner(this);
    origin = await startCreativeOrigin();
    origin.answer('/landing', page);
  });
  after(async () => {
    await scanner?.close();
    await origin?.close();
  });

  const scan = async (markup: string, sighting: Partial<Sighting> = {}): Promise<CreativeState> => {
    const id = await scanner.see({ markup, advertiserDomains: ['127.0.0.1'], ...sighting });
    return scanner.scanned(id);
  };
  const codesOf = ({ scan: { findings } }: CreativeState) => findings.map(({ code }) => code);
  const link = (inner: string) => `<a href="${origin.url('/landing')}" target="_blank">${inner}</a>`;
  const linear = (path: string) => inlineVast({ mediaUrl: origin.url(path), trackers: 'https://trackers.test' });
  const video = { formats: ['video'] as CreativeState['formats'] };

  /** Scans markup that is to be flagged, for this reason and no other. */
  const flagged = async (code: string, markup: string, sighting: Partial<Sighting> = {}): Promise<CreativeState> => {
    const state = await scan(markup, sighting);
    const violations = codesOf(state).filter((one) => one !== 'recommendation' && one !== 'advertiser-unknown');
    expect([...new Set(violations)], JSON.stringify(state.scan.findings)).to.deep.equal([code]);
    expect(state.scan.status).to.equal('flagged');
    for (const { message, url } of state.scan.findings) {
      expect(message).to.match(/^[A-Z].*\.$/s);
      expect(url ?? '').to.not.include('?');
    }
    return state;
  };

  it('names plain HTTP, wherever the markup has it', async () => {
    await flagged('plain-http', link('<img src="http://images.test/banner.png?id=1" width="1" height="1">'));
    await flagged('plain-http', `${link('Go')}<script>new Image().src = "http://count.test/view";</script>`);
  });

  it('names more than three redirects, and more than three redirect domains', async () => {
    for (let at = 1; at <= 5; at++)
      origin.answer(`/hop-${at}`, redirect(origin.url(at === 5 ? '/spot.mp4' : `/hop-${at + 1}`)));
    const hops = await flagged('too-many-redirects', linear('/hop-1'), video);
    expect(hops.scan.report!.redirects).to.equal(5);
    for (let at = 1; at <= 4; at++) {
      const to = at === 4 ? origin.url('/doc.xml') : origin.urlAt(`127.0.0.${at + 4}`, `/domain-${at + 1}`);
      origin.answer(`/domain-${at}`, at === 4 ? vast(linear('/spot.mp4')) : redirect(to));
    }
    const wrapped = wrapperVast({ tag: origin.urlAt('127.0.0.2', '/outer'), trackers: 'https://t.test' });
    origin.answer(
      '/outer',
      vast(wrapperVast({ tag: origin.urlAt('127.0.0.3', '/domain-1'), trackers: 'https://t.test' })),
    );
    const many = await scan(wrapped, video);
    expect(codesOf(many)).to.include('too-many-domains');
    expect(many.scan.report!.domains).to.include.members(['127.0.0.2', '127.0.0.3', '127.0.0.7']);
  });

  it('names what takes longer than 1.5 s', async () => {
    origin.answer('/slow.png', (request, response) => {
      setTimeout(() => file(PNG_300_250, 'image/png')(request, response), 1_700);
    });
    const state = await flagged('too-slow', link(`<img src="${origin.url('/slow.png')}" alt="An ad">`));
    expect(state.scan.report!.loadMs).to.be.at.least(1_600);
  });

  it('does not hold one slow answer against a creative', async () => {
    let asked = 0;
    origin.answer('/once-slow.png', (request, response) => {
      asked += 1;
      setTimeout(() => file(PNG_300_250, 'image/png')(request, response), asked === 1 ? 1_700 : 0);
    });
    const state = await scan(link(`<img src="${origin.url('/once-slow.png')}" alt="An ad">`));
    expect(asked).to.equal(2);
    expect(state.scan.status, JSON.stringify(state.scan.findings)).to.equal('clean');
  });

  it('names mining scripts by host, by name, and by WebAssembly with their words', async () => {
    await flagged('mining-script', `${link('Go')}<script>new CoinHive.Anonymous('key').start()</script>`);
    origin.answer('/m.js', script('const m = WebAssembly.instantiate(b); socket.send({method: "stratum.login"});'));
    const state = await flagged('mining-script', `${link('Go')}<script src="${origin.url('/m.js?u=1')}"></script>`);
    expect(state.scan.findings.find(({ code }) => code === 'mining-script')!.url).to.equal(origin.url('/m.js'));
  });

  it('names redirects that no click is needed for', async () => {
    for (const code of [
      'top.location = "https://prize.test/";',
      'setTimeout(function () { window.parent.location.href = "https://prize.test/"; }, 500);',
      'var w = window["top"]; (() => w.location.replace("https://prize.test/"))();',
      'function go() { location.assign("https://prize.test/"); } window.addEventListener("load", go);',
      'document.onmousemove = () => { window.open("https://prize.test/", "_top"); };',
    ]) {
      await flagged('forced-redirect', `${link('Go')}<script>${code}</script>`);
    }
    await flagged('forced-redirect', `${link('Go')}<meta http-equiv="refresh" content="1;url=https://prize.test/">`);
    await flagged('forced-redirect', `${link('Go')}<img src="x" onerror="top.location='https://prize.test/'">`);
    await flagged(
      'forced-redirect',
      `${link('Go')}<iframe srcdoc="<script>top.location='https://prize.test/'</script>"></iframe>`,
    );
    origin.answer(
      '/frame.html',
      file(Buffer.from('<script>top.location = "https://prize.test"</script>'), 'text/html'),
    );
    await flagged('forced-redirect', `${link('Go')}<iframe src="${origin.url('/frame.html')}"></iframe>`);
  });

  it('names close buttons that lead to the landing page', async () => {
    await flagged(
      'fake-close-button',
      link('<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="An ad"><span class="x">×</span>'),
    );
    await flagged(
      'fake-close-button',
      `<div class="ad">${link('Go')}</div><a class="btn-close" href="${origin.url('/landing')}"></a>`,
    );
    await flagged(
      'fake-close-button',
      `${link('Go')}<button id="close" onclick="window.open(clickTag)">Close</button>`,
    );
    const code = 'document.getElementById("closeBtn").addEventListener("click", () => window.open(clickTag));';
    await flagged('fake-close-button', `${link('Go')}<div id="closeBtn"></div><script>${code}</script>`);
  });

  it('names an advertiser that is not the declared one, by where a click ends', async () => {
    origin.answer('/click', redirect(origin.urlAt('127.0.0.3', '/landing')));
    const markup = `<a href="${origin.url('/click')}?id=\${AUCTION_ID}">Go</a>`;
    const wrong = await flagged('wrong-advertiser-domain', markup, { advertiserDomains: ['brand.example'] });
    expect(wrong.scan.report!.landingDomain).to.equal('127.0.0.3');
    expect(wrong.scan.findings.at(0)!.message).to.equal('A click leads to 127.0.0.3; its bids declare brand.example.');
    const right = await scan(markup, { advertiserDomains: ['127.0.0.3'] });
    expect(right.scan.status, JSON.stringify(right.scan.findings)).to.equal('clean');
    const otherForm = await scan(markup, { advertiserDomains: ['https://１２７.0.0.3/'] });
    expect(codesOf(otherForm)).to.deep.equal([]);
    origin.answer('/gone', status(404));
    const unread = await scan(`<a href="${origin.url('/gone')}">Go</a>`, { advertiserDomains: ['brand.example'] });
    expect(codesOf(unread)).to.deep.equal(['advertiser-unknown']);
    expect(unread.scan.status).to.equal('clean');
  });

  it('follows no address whose host has a label of many letters', async () => {
    const letters = String.fromCodePoint(...Array.from({ length: 20_000 }, (_, index) => 0x4e00 + index));
    const address = `https://${letters}.test/`;
    const click = await scan(`<a href="${address}">Go</a><img src="${address}" width="1" height="1">`);
    expect(codesOf(click)).to.deep.equal(['advertiser-unknown']);
    expect(click.scan.report!.domains).to.deep.equal([]);
    await flagged('unreachable', `${link('Go')}<script src="${address}"></script>`);
    await flagged('unreachable', inlineVast({ mediaUrl: address, trackers: 'https://trackers.test' }), video);
    await flagged('unreachable', wrapperVast({ tag: `//${letters}.test/`, trackers: 'https://t.test' }), video);
  });

  it('names what cannot be reached, cannot be read, is VPAID alone, or has too many wrappers', async () => {
    await flagged('unreachable', linear('/missing'), video);
    await flagged('unreadable-markup', '<VAST version="3.0"><Ad>', video);
    const vpaid = linear('/a.js').replace('type="video/mp4"', 'type="application/javascript" apiFramework="VPAID"');
    await flagged('vpaid', vpaid, video);
    for (let at = 1; at <= 4; at++) {
      origin.answer(`/w${at}`, vast(wrapperVast({ tag: origin.url(`/w${at + 1}`), trackers: 'https://t.test' })));
    }
    await flagged('too-many-wrappers', wrapperVast({ tag: origin.url('/w1'), trackers: 'https://t.test' }), video);
  });

  it('looks into each ad of a document, and of those behind a wrapper that allows several', async () => {
    const good = linear('/spot.mp4').replace('http://advertiser.test/', origin.url('/landing'));
    const bad = good.replace('/spot.mp4', '/missing');
    const elsewhere = good.replace(origin.url('/landing'), origin.url('/landing').replace('127.0.0.1', 'localhost'));
    expect((await scan(manyAds(good, good), video)).scan.status).to.equal('clean');
    await flagged('unreachable', manyAds(good, bad), video);
    await flagged('wrong-advertiser-domain', manyAds(good, elsewhere), video);
    origin.answer('/ads', vast(manyAds(good, bad)));
    const wrapper = wrapperVast({ tag: origin.url('/ads'), trackers: 'https://t.test' });
    const allowing = wrapper.replace('<Wrapper>', '<Wrapper allowMultipleAds="true">');
    const state = await flagged('unreachable', manyAds(good, allowing), video);
    expect(state.scan.report!.wrappers).to.equal(1);
    expect((await scan(wrapper, video)).scan.status, 'the first alone is shown').to.equal('clean');
    origin.answer('/good', vast(good));
    const twice = wrapper.replace(origin.url('/ads'), origin.url('/good'));
    expect((await scan(manyAds(twice, twice), video)).scan.status, 'the same document twice').to.equal('clean');
    await flagged('unreadable-markup', manyAds(...Array.from({ length: 11 }, () => good)), video);
    await flagged('unreadable-markup', manyAds(good, '<VAST><Ad id="empty"></Ad></VAST>'), video);
  });

  it('tells the recommendations of what the files are', async () => {
    const state = await scan(linear('/spot.mp4'), video);
    expect(state.scan.media[0]).to.include({ use: 'media', bytes: H264_AAC_MP4.length, container: 'MPEG-4' });
    expect(state.scan.report!.bytes).to.be.at.least(H264_AAC_MP4.length);
    expect(state.scan.findings.every(({ code }) => code !== 'unreachable')).to.equal(true);
    expect(codesOf(state)).to.include('recommendation');
  });
});

describe('gateways/creatives/scan of what is as it is to be', () => {
  let scanner: RunningScanner;
  let origin: CreativeOrigin;

  before(async function () {
    scanner = await startRunningScanner(this);
    origin = await startCreativeOrigin();
    origin.answer('/landing', page);
    origin.answer('/lib.js', script('var clickTag; function exit() { window.open(window.clickTag, "_blank"); }'));
  });
  after(async () => {
    await scanner?.close();
    await origin?.close();
  });

  const CLEAN: Readonly<Record<string, (at: (path: string) => string) => string>> = {
    'a linked image with its pixel': (at) =>
      `<a href="${at('/landing')}?c=\${AUCTION_ID}"><img src="${at('/banner.png')}" width="300" height="250"></a><img src="${at('/px')}?p=\${AUCTION_PRICE}" width="1" height="1">`,
    'a rich banner whose clicks a script handles': (at) => `<!doctype html><html><body><div id="ad"><h1>Offer</h1></div>
<script src="${at('/lib.js')}"></script><script>var clickTag = "${at('/landing')}";
function leave() { window.top.location.href = clickTag; }
document.getElementById("ad").addEventListener("click", leave);
document.getElementById("ad").ontouchend = function (event) { window.location.href = clickTag; };
$("#ad").on("click.ad touchend", function () { window.open(clickTag, "_top"); });
console.log(top.location === self.location, location.href);</script><a href="${at('/landing')}">More</a></body></html>`,
    'a × button that closes': (at) =>
      `<div id="ad"><a href="${at('/landing')}">Go</a><button id="close" class="close" onclick="document.getElementById('ad').style.display='none'">×</button></div>`,
    'a × in the link that keeps its click': (at) =>
      `<a href="${at('/landing')}" id="ad">Go <span id="close">×</span></a><script>document.getElementById('close').addEventListener('click', function (e) { e.preventDefault(); e.stopPropagation(); document.getElementById('ad').style.display = 'none'; });</script>`,
    'words that only sound so': (at) =>
      `<a href="${at('/landing')}" class="close-up product" title="Close to you">Disclosure: shorts at X</a><svg xmlns="http://www.w3.org/2000/svg"></svg><p>WebAssembly is fast</p>`,
    'MRAID with its own close': (at) =>
      `<script src="mraid.js"></script><div onclick="mraid.open('${at('/landing')}')">Go</div><div class="close" onclick="mraid.close()">×</div><a href="${at('/landing')}">Go</a>`,
  };
  for (const [what, markup] of Object.entries(CLEAN)) {
    it(`finds nothing against ${what}`, async () => {
      const id = await scanner.see({ markup: markup(origin.url), advertiserDomains: ['127.0.0.1'] });
      const { scan } = await scanner.scanned(id);
      expect(scan.findings, JSON.stringify(scan.findings)).to.deep.equal([]);
      expect(scan.status).to.equal('clean');
      expect(scan.report!.landingDomain).to.equal('127.0.0.1');
    });
  }

  it('calls no pixel, and nothing that names an auction', () => {
    expect(origin.requestedPaths.filter((path) => path.startsWith('/px'))).to.deep.equal([]);
  });

  it('finds nothing against a native ad, and reads what it is made of', async () => {
    const native = {
      native: {
        assets: [
          { id: 1, title: { text: 'An ad' } },
          { id: 2, img: { type: 3, url: origin.url('/banner.png'), w: 300, h: 250 } },
          { id: 3, data: { type: 1, value: 'Brand' } },
        ],
        link: { url: origin.url('/landing') },
        eventtrackers: [{ event: 1, method: 1, url: origin.url('/px') }],
      },
    };
    const seen = { markup: JSON.stringify(native), formats: ['native' as const], advertiserDomains: ['127.0.0.1'] };
    const { scan } = await scanner.scanned(await scanner.see(seen));
    expect(scan.status).to.equal('clean');
    expect(scan.findings.map(({ message }) => message)).to.deep.equal([
      'It deviates from the recommendations: native_image_too_small.',
    ]);
    expect(scan.media).to.have.length(1);
  });
});

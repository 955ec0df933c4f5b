import { DOMParser } from '@xmldom/xmldom';
import { expect } from 'chai';
import { renderCreative } from '#exchange/creative/render/render-creative';
import type { Creative } from '#exchange/strategy/document/creative';
import { assetsOf, HASH, imageAsset, TRACKING_URL, termsOf } from './stock.ts';

const URL_ = 'https://buyer.example/b.png';
const IMAGE: Creative = {
  creative_id: 'i',
  image_url: URL_,
  impression_trackers: ['https://t.example/i?a=1&b="><script>'],
  click_trackers: ['https://t.example/c?q=\'"</script>'],
  landing_url: 'https://landing.example/?a=1&b=2',
};
const ASSETS = assetsOf({ [URL_]: imageAsset() });
const BANNER = termsOf({ banner: { w: 300, h: 250 } });

const PIXEL = `<img src="${TRACKING_URL.replaceAll('&', '&amp;')}" width="1" height="1" alt="" style="display:none">`;

function rendered(creative: Creative, terms = BANNER): string {
  const markup = renderCreative(creative, ASSETS, terms);
  if (!markup.ok) throw new Error(markup.refused);
  return markup.adm;
}

/** The elements of markup whose tags are all closed or void, with their attributes as a browser would have them. */
function elementsOf(markup: string) {
  const closed = markup.replace(/<img\b([^>]*)>/g, '<img$1/>');
  const document = new DOMParser().parseFromString(`<body>${closed}</body>`, 'text/xml');
  return [...document.getElementsByTagName('*')].slice(1).map((element) => ({
    name: element.nodeName,
    ...Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
  }));
}

describe("a delegate's banner", () => {
  it('starts with our hidden image, then those of the campaign, then the linked image', () => {
    const adm = rendered(IMAGE);
    expect(adm.startsWith(PIXEL)).to.equal(true);
    const [ours, theirs, link, image] = elementsOf(adm);
    expect(ours).to.deep.include({ name: 'img', src: TRACKING_URL });
    expect(theirs).to.deep.include({ name: 'img', src: IMAGE.impression_trackers![0], style: 'display:none' });
    expect(link).to.deep.include({ name: 'a', href: IMAGE.landing_url, target: '_blank', rel: 'noopener' });
    expect(image).to.deep.include({
      name: 'img',
      src: `https://edge.test/creative/${HASH}`,
      width: '300',
      height: '250',
    });
  });

  it('calls its click trackers when it is clicked', () => {
    const link = elementsOf(rendered(IMAGE))[2] as unknown as { onclick: string };
    const called: string[] = [];
    class Image {
      set src(url: string) {
        called.push(url);
      }
    }
    new Function('Image', link.onclick)(Image);
    expect(called).to.deep.equal(IMAGE.click_trackers);
  });

  it('leads nowhere without a landing page', () => {
    const { landing_url: _, ...creative } = IMAGE;
    expect(elementsOf(rendered(creative)).map(({ name }) => name)).to.deep.equal(['img', 'img', 'img']);
  });

  it('is refused while its image is not here', () => {
    expect(renderCreative(IMAGE, assetsOf({}), BANNER)).to.deep.equal({ ok: false, refused: 'asset-missing' });
  });
});

describe("a delegate's HTML5 ad", () => {
  const html = '<!DOCTYPE html><html><head><title>"ad"</title></head><body><p>a & b</p></body></html>';

  it('is a document of its own in a frame that cannot reach the page', () => {
    const [ours, frame] = elementsOf(rendered({ creative_id: 'h', html, width: 320, height: 50 })) as Record<
      string,
      string
    >[];
    expect(ours).to.deep.include({ src: TRACKING_URL });
    expect(frame).to.deep.include({ name: 'iframe', srcdoc: html, width: '320', height: '50' });
    expect(frame?.sandbox?.split(' ')).to.include('allow-scripts').and.not.include('allow-same-origin');
  });

  it('knows its landing page as clickTag, and calls click trackers at the first click', () => {
    const creative = {
      creative_id: 'h',
      html,
      landing_url: 'https://l.example/</script>',
      click_trackers: ['https://t.example/c'],
    };
    const [, frame] = elementsOf(rendered(creative)) as Record<string, string>[];
    const [, script = ''] = /^<!DOCTYPE html><script>(.*?)<\/script><html>/.exec(frame!.srcdoc!) ?? [];
    const listeners: (() => void)[] = [];
    const called: string[] = [];
    class Image {
      set src(url: string) {
        called.push(url);
      }
    }
    const window: { clickTag?: string } = {};
    new Function('window', 'addEventListener', 'Image', script)(
      window,
      (_: string, call: () => void) => listeners.push(call),
      Image,
    );
    expect(window.clickTag).to.equal('https://l.example/</script>');
    expect(called).to.deep.equal([]);
    for (const listener of listeners) listener();
    expect(called).to.deep.equal(['https://t.example/c']);
  });

  it('takes the size of the imp where it has none', () => {
    const size = (banner: object) => {
      const [, frame] = elementsOf(rendered({ creative_id: 'h', html: '<p/>' }, termsOf({ banner }))) as Record<
        string,
        string
      >[];
      return `${frame?.width}x${frame?.height}`;
    };
    expect(size({ w: 728, h: 90 })).to.equal('728x90');
    expect(size({ format: [{ w: 160, h: 600 }] })).to.equal('160x600');
    expect(size({})).to.equal('100%x100%');
  });
});

describe("a delegate's MRAID ad", () => {
  const creative: Creative = { creative_id: 'm', format: 'mraid', html: '<div>ad</div>' };
  const offered = (api: number[], devicetype?: number) =>
    termsOf({ banner: { w: 320, h: 480, api } }, { device: devicetype === undefined ? undefined : { devicetype } });

  it('asks for mraid.js before its own markup, in the container itself', () => {
    expect(rendered(creative, offered([5]))).to.equal(`${PIXEL}<script src="mraid.js"></script><div>ad</div>`);
    const asking = { ...creative, html: '<script src="mraid.js"></script><div>ad</div>' };
    expect(rendered(asking, offered([6, 7]))).to.equal(`${PIXEL}${asking.html}`);
  });

  it('is refused where the container runs none, and on television', () => {
    const refusal = { ok: false, refused: 'mraid-not-offered' };
    expect(renderCreative(creative, ASSETS, BANNER)).to.deep.equal(refusal);
    expect(renderCreative(creative, ASSETS, offered([3, 7]))).to.deep.equal(refusal);
    expect(renderCreative(creative, ASSETS, offered([5], 3))).to.deep.equal(refusal);
    expect(renderCreative(creative, ASSETS, offered([5], 4)).ok).to.equal(true);
  });
});

import { expect } from 'chai';
import { renderCreative } from '#exchange/creative/render/render-creative';
import type { Creative } from '#exchange/strategy/document/creative';
import { assetsOf, HASH, imageAsset, NATIVE_REQUEST, TRACKING_URL, termsOf } from './stock.ts';

const MAIN = 'https://buyer.example/main.png';
const ICON = 'https://buyer.example/icon.png';
const NATIVE: Creative = {
  creative_id: 'n',
  native: {
    title: 'A </script> "title"',
    body: 'A body that is rather long',
    cta: 'Buy',
    sponsored: 'Brand',
    image_url: MAIN,
    icon_url: ICON,
    rating: 4.5,
    price: '9.99',
    downloads: 1000,
  },
  landing_url: 'https://www.landing.example/',
  impression_trackers: ['https://t.example/i'],
  click_trackers: ['https://t.example/c'],
};
const ASSETS = assetsOf({ [MAIN]: imageAsset(1200, 627), [ICON]: imageAsset(80, 80) });

const asking = (request: object, ver?: string) =>
  termsOf({ native: { request: JSON.stringify(request), ...(ver && { ver }) } });

function rendered(request: object, creative = NATIVE, ver?: string) {
  const markup = renderCreative(creative, ASSETS, asking(request, ver));
  if (!markup.ok) throw new Error(markup.refused);
  return JSON.parse(markup.adm);
}

function refusal(request: object, creative = NATIVE, assets = ASSETS): string {
  const markup = renderCreative(creative, assets, asking(request));
  return markup.ok ? 'accepted' : markup.refused;
}

describe("a delegate's native ad", () => {
  it('answers each asset of the request by its id', () => {
    const image = { url: `https://edge.test/creative/${HASH}` };
    expect(rendered(NATIVE_REQUEST)).to.deep.equal({
      ver: '1.2',
      assets: [
        { id: 1, required: 1, title: { text: 'A </script> "title"' } },
        { id: 2, required: 1, img: { type: 3, ...image, w: 1200, h: 627 } },
        { id: 3, img: { type: 1, ...image, w: 80, h: 80 } },
        { id: 4, data: { type: 1, value: 'Brand' } },
        { id: 5, data: { type: 2, value: 'A body that is…' } },
        { id: 6, data: { type: 3, value: '4.5' } },
        { id: 7, data: { type: 5, value: '1000' } },
        { id: 8, data: { type: 6, value: '9.99' } },
        { id: 9, data: { type: 12, value: 'Buy' } },
      ],
      link: { url: 'https://www.landing.example/', clicktrackers: ['https://t.example/c'] },
      eventtrackers: [
        { event: 1, method: 1, url: TRACKING_URL },
        { event: 1, method: 1, url: 'https://t.example/i' },
      ],
    });
  });

  it('speaks the older forms to those who ask in them', () => {
    const { eventtrackers: _, ...older } = NATIVE_REQUEST;
    const wrapped = rendered({ native: { ...older, ver: '1.1' } });
    expect(wrapped.native.imptrackers).to.deep.equal([TRACKING_URL, 'https://t.example/i']);
    expect(wrapped.native).to.deep.include({ ver: '1.1' }).and.not.have.property('eventtrackers');
    const { ver: __, ...unnamed } = older;
    expect(rendered(unnamed, NATIVE, '1.0')).to.have.property('imptrackers');
    expect(rendered(unnamed)).to.have.property('eventtrackers');
  });

  it('has imptrackers for a renderer that calls no image for impressions', () => {
    for (const asked of [[], [{ event: 1, methods: [2] }], [{ event: 2, methods: [1] }]]) {
      const ad = rendered({ ...NATIVE_REQUEST, eventtrackers: asked });
      expect(ad.imptrackers, JSON.stringify(asked)).to.deep.equal([TRACKING_URL, 'https://t.example/i']);
      expect(ad).to.not.have.property('eventtrackers');
    }
  });

  it('leaves out what it has not, unless that is required', () => {
    const { rating: _, ...unrated } = NATIVE.native!;
    const rated = (required: 0 | 1) => ({ assets: [{ id: 1, required, data: { type: 3 } }] });
    expect(rendered(rated(0), { ...NATIVE, native: unrated }).assets).to.deep.equal([]);
    expect(refusal(rated(1), { ...NATIVE, native: unrated })).to.equal('native-asset-missing');
    expect(refusal({ assets: [{ id: 1, required: 1, video: {} }] })).to.equal('native-asset-missing');
    expect(refusal({ assets: [{ id: 1, required: 1, img: { type: 3 } }] }, NATIVE, assetsOf({}))).to.equal(
      'native-asset-missing',
    );
    const jpegOnly = { assets: [{ id: 1, required: 1, img: { type: 3, mimes: ['image/jpeg'] } }] };
    expect(refusal(jpegOnly)).to.equal('native-asset-missing');
    for (const mime of ['image/png', 'IMAGE/PNG', 'image/*']) {
      const { assets } = rendered({ assets: [{ id: 1, required: 1, img: { type: 3, mimes: ['image/jpg', mime] } }] });
      expect(assets, mime).to.have.lengthOf(1);
    }
  });

  it('has a main image for an image of no kind, a host for a display URL, and the icon for a logo', () => {
    const { assets } = rendered({
      assets: [
        { id: 1, img: {} },
        { id: 2, data: { type: 11 } },
        { id: 3, img: { type: 2 } },
      ],
    });
    expect(assets[0].img).to.deep.include({ type: 3, w: 1200 });
    expect(assets[1].data.value).to.equal('landing.example');
    expect(assets[2].img).to.deep.include({ type: 2, w: 80 });
  });

  it('takes null fields of the request for absent ones', () => {
    const none = { title: null, img: null, video: null, data: null };
    const { assets, ...ad } = rendered({
      ver: null,
      assets: [
        { ...none, id: 1, required: 1, title: { len: null } },
        { ...none, id: 2, required: 1, img: { type: null, mimes: null } },
        { ...none, id: null, required: null, data: { type: 2, len: null } },
      ],
      eventtrackers: null,
    });
    const image = { type: 3, url: `https://edge.test/creative/${HASH}`, w: 1200, h: 627 };
    expect(assets).to.deep.equal([
      { id: 1, required: 1, title: { text: NATIVE.native!.title } },
      { id: 2, required: 1, img: image },
      { data: { type: 2, value: NATIVE.native!.body } },
    ]);
    expect(ad).to.deep.include({ ver: '1.2' }).and.have.property('eventtrackers');
  });

  it('leads somewhere, or is refused', () => {
    const { landing_url: _, ...nowhere } = NATIVE;
    expect(refusal(NATIVE_REQUEST, nowhere)).to.equal('landing-url-missing');
  });
});

import { expect } from 'chai';
import { InvalidBidRequest, InvalidFloor } from '#exchange/openrtb/invalid-bid-request';
import { parseBidRequest } from '#exchange/openrtb/parse-bid-request';
import { MAX_DEPTH } from '#exchange/openrtb/shape';

const banner = { w: 300, h: 250 };
const imp = { id: '1', banner };
const good = { id: 'r', imp: [imp] };
const video = { mimes: ['video/mp4'] };

function native(request: unknown): unknown {
  return { id: 'r', imp: [{ id: '1', native: { request: JSON.stringify(request) } }] };
}

/** Arrays within arrays, `levels` deep. */
function nested(levels: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

function problemOf(document: unknown): { name: string; path: string } | undefined {
  try {
    parseBidRequest(document);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidBidRequest || error instanceof InvalidFloor) {
      expect(error.message).to.not.equal('');
      return { name: error.name, path: error.path };
    }
    throw error;
  }
}

const TITLE = { id: 1, title: { len: 25 } };

const MALFORMED: readonly (readonly [what: string, path: string, document: unknown])[] = [
  ['null', '', null],
  ['a list', '', [good]],
  ['text', '', 'good'],
  ['a number', '', 7],
  ['nothing', '', undefined],
  ['no id', 'id', { imp: [imp] }],
  ['an empty id', 'id', { ...good, id: '' }],
  ['a number for an id', 'id', { ...good, id: 1 }],
  ['null for an id', 'id', { ...good, id: null }],
  ['no imp', 'imp', { id: 'r' }],
  ['one imp that is no list', 'imp', { ...good, imp }],
  ['an imp that is null', 'imp[0]', { ...good, imp: [null] }],
  ['an imp without an id', 'imp[1].id', { ...good, imp: [imp, { banner }] }],
  ['an imp without a format', 'imp[0]', { ...good, imp: [{ id: '1' }] }],
  ['two imps of one id', 'imp[1].id', { ...good, imp: [imp, { ...imp }] }],
  ['a width with a fraction', 'imp[0].banner.w', { ...good, imp: [{ ...imp, banner: { w: 1.5, h: 2 } }] }],
  ['a width as text', 'imp[0].banner.w', { ...good, imp: [{ ...imp, banner: { w: '300', h: 250 } }] }],
  [
    'a format of half a size',
    'imp[0].banner.format[1]',
    { ...good, imp: [{ id: '1', banner: { format: [banner, { w: 1 }] } }] },
  ],
  ['a video without mimes', 'imp[0].video.mimes', { ...good, imp: [{ id: '1', video: {} }] }],
  [
    'a companion of the wrong type',
    'imp[0].video.companionad[0].h',
    { ...good, imp: [{ id: '1', video: { ...video, companionad: [{ h: -1 }] } }] },
  ],
  ['battr of text', 'imp[0].banner.battr[1]', { ...good, imp: [{ ...imp, banner: { ...banner, battr: [1, 'x'] } }] }],
  ['secure as true', 'imp[0].secure', { ...good, imp: [{ ...imp, secure: true }] }],
  ['a floor as text', 'imp[0].bidfloor', { ...good, imp: [{ ...imp, bidfloor: '1.0' }] }],
  ['a deal without an id', 'imp[0].pmp.deals[0].id', { ...good, imp: [{ ...imp, pmp: { deals: [{}] } }] }],
  ['deals that are no list', 'imp[0].pmp.deals', { ...good, imp: [{ ...imp, pmp: { deals: {} } }] }],
  ['a site that is a list', 'site', { ...good, site: [] }],
  ['a publisher id that is a number', 'site.publisher.id', { ...good, site: { publisher: { id: 5 } } }],
  ['site and dooh', 'dooh', { ...good, site: {}, dooh: {} }],
  ['a latitude as text', 'device.geo.lat', { ...good, device: { geo: { lat: '52' } } }],
  ['gdpr of 2 in its 2.5 place', 'regs.ext.gdpr', { ...good, regs: { ext: { gdpr: 2 } } }],
  ['eids that are no list in their 2.5 place', 'user.ext.eids', { ...good, user: { ext: { eids: {} } } }],
  ['a chain without nodes', 'source.ext.schain.nodes', { ...good, source: { ext: { schain: { ver: '1.0' } } } }],
  ['bcat of numbers', 'bcat[0]', { ...good, bcat: [7] }],
  ['a tmax that is not a number', 'tmax', { ...good, tmax: Number.NaN }],
  ['an endless tmax', 'tmax', { ...good, tmax: Number.POSITIVE_INFINITY }],
  ['ext that is text', 'ext', { ...good, ext: 'x' }],
  ['native text that is no JSON', 'imp[0].native.request', { id: 'r', imp: [{ id: '1', native: { request: '{' } }] }],
  [
    'a native request that is an object',
    'imp[0].native.request',
    { id: 'r', imp: [{ id: '1', native: { request: {} } }] },
  ],
  [
    'two native assets of one id',
    'imp[0].native.request.assets[1].id',
    native({ assets: [TITLE, { id: 1, img: {} }] }),
  ],
  [
    'a fault in a wrapped native request',
    'imp[0].native.request.assets[0].title.len',
    native({ native: { assets: [{ title: { len: 0 } }] } }),
  ],
];

describe('parseBidRequest', () => {
  for (const [what, path, document] of MALFORMED) {
    it(`refuses ${what}`, () => expect(problemOf(document)).to.deep.equal({ name: 'InvalidBidRequest', path }));
  }

  it('accepts bare and wrapped native requests', () => {
    expect(problemOf(native({ ver: '1.2', assets: [TITLE] }))).to.equal(undefined);
    expect(problemOf(native({ native: { layout: 3, assets: [TITLE] } }))).to.equal(undefined);
  });

  it('passes on what it does not know, as it came', () => {
    const document = {
      ...good,
      imp: [{ ...imp, ext: { a: [1, { b: null }] }, novel: { c: true } }],
      user: { keywords: ['not', 'text'], ext: { d: null } },
      ext: { e: {} },
      future: [[]],
    };
    const before = structuredClone(document);
    expect(parseBidRequest(document)).to.equal(document).and.deep.equal(before);
  });

  it('takes null for absent in fields that it knows', () => {
    const request = parseBidRequest({ ...good, app: null, site: { page: 'p', publisher: null }, tmax: null });
    expect(JSON.parse(JSON.stringify(request))).to.deep.equal({ ...good, site: { page: 'p' } });
  });

  for (const [place, around] of [
    ['ext', (value: unknown) => ({ ...good, ext: { value } })],
    ['an unknown field', (value: unknown) => ({ ...good, value: { value } })],
    ['the ext of an eid', (value: unknown) => ({ ...good, user: { eids: [{ ext: value }] } })],
    [
      'the ext of a format',
      (value: unknown) => ({ ...good, imp: [{ id: '1', banner: { format: [{ ...banner, value }] } }] }),
    ],
    [
      'the ext of a companion’s format',
      (value: unknown) => ({
        ...good,
        imp: [{ id: '1', video: { ...video, companionad: [{ format: [{ ...banner, value }] }] } }],
      }),
    ],
  ] as const) {
    it(`bounds nesting in ${place}`, () => {
      // Levels that enclose the value, the request itself among them.
      const enclosing = depthOf(around('bottom'));
      const left = MAX_DEPTH - enclosing;
      expect(problemOf(around(nested(left)))).to.equal(undefined);
      expect(problemOf(around(nested(left + 1)))).to.include({ name: 'InvalidBidRequest' });
      expect(problemOf(around(nested(200_000)))).to.include({ name: 'InvalidBidRequest' });
    });
  }

  it('bounds nesting in native requests', () => {
    const deep = `{"assets":[{"title":{"len":1}}],"ext":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    const document = { id: 'r', imp: [{ id: '1', native: { request: deep } }] };
    expect(problemOf(document)).to.deep.equal({ name: 'InvalidBidRequest', path: 'imp[0].native.request' });
  });

  const withImp = (fields: object) => ({ ...good, imp: [imp, { ...imp, id: '2', ...fields }] });
  for (const [what, path, document] of [
    ['a negative floor', 'imp[1].bidfloor', withImp({ bidfloor: -0.01 })],
    ['an absurd floor', 'imp[1].bidfloor', withImp({ bidfloor: 10_000.01 })],
    ['a floor that is not a number', 'imp[1].bidfloor', withImp({ bidfloor: Number.NaN })],
    ['an endless floor', 'imp[1].bidfloor', withImp({ bidfloor: Number.POSITIVE_INFINITY })],
    ['a negative deal floor', 'imp[1].pmp.deals[0].bidfloor', withImp({ pmp: { deals: [{ id: 'd', bidfloor: -1 }] } })],
    [
      'a negative duration floor',
      'imp[1].video.durfloors[0].bidfloor',
      withImp({ video: { ...video, durfloors: [{ maxdur: 15, bidfloor: -1 }] } }),
    ],
    [
      'a negative deal floor per second',
      'imp[1].pmp.deals[0].mincpmpersec',
      withImp({ pmp: { deals: [{ id: 'd', mincpmpersec: -0.1 }] } }),
    ],
    ['a floor in euros', 'imp[1].bidfloorcur', withImp({ bidfloor: 1, bidfloorcur: 'EUR' })],
    [
      'a deal floor in euros',
      'imp[1].pmp.deals[0].bidfloorcur',
      withImp({ pmp: { deals: [{ id: 'd', bidfloor: 1, bidfloorcur: 'EUR' }] } }),
    ],
    [
      'a deal floor per second in euros',
      'imp[1].pmp.deals[0].bidfloorcur',
      withImp({ pmp: { deals: [{ id: 'd', mincpmpersec: 0.1, bidfloorcur: 'EUR' }] } }),
    ],
  ] as const) {
    it(`tells ${what} from a malformed request`, () => {
      expect(problemOf(document)).to.deep.equal({ name: 'InvalidFloor', path });
    });
  }

  it('accepts floors of 0 to 10,000 dollars, and no floor in any currency', () => {
    expect(problemOf(withImp({ bidfloor: 10_000, bidfloorcur: 'USD' }))).to.equal(undefined);
    expect(problemOf(withImp({ bidfloor: 0, bidfloorcur: 'EUR' }))).to.equal(undefined);
  });

  it('calls a request malformed before it judges its floors', () => {
    expect(problemOf({ ...withImp({ bidfloor: -1 }), tmax: -1 })).to.deep.equal({
      name: 'InvalidBidRequest',
      path: 'tmax',
    });
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  // Only the way down to the marker counts.
  return (
    1 +
    Math.max(
      ...Object.values(value)
        .filter((field) => JSON.stringify(field).includes('bottom'))
        .map(depthOf),
    )
  );
}

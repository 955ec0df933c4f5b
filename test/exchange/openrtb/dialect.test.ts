import { expect } from 'chai';
import fc from 'fast-check';
import { type Dialect, writeBidRequest } from '#exchange/openrtb/dialect';
import type { ExchangePolicy } from '#exchange/openrtb/exchange-policy';
import { parseBidRequest } from '#exchange/openrtb/parse-bid-request';
import { isRewarded, readSignals } from '#exchange/openrtb/signals';

const TERMS: ExchangePolicy = {
  tmaxMs: 120,
  blockedCategories: [],
  blockedDomains: [],
  contentGenre: null,
  floorCpmMicros: 0,
};

const imp = { id: '1', banner: { w: 300, h: 250 } };
const good = { id: 'r', imp: [imp] };
const CHAIN = { complete: 1, ver: '1.0', nodes: [{ asi: 'publisher.example', sid: '7', hp: 1 }] };
const EIDS = [{ source: 'id.example', uids: [{ id: 'A', atype: 1 }] }];

function write(document: unknown, dialect: Dialect, terms: Partial<ExchangePolicy> = {}) {
  return JSON.parse(writeBidRequest(parseBidRequest(structuredClone(document)), dialect, { ...TERMS, ...terms }));
}

describe('writeBidRequest', () => {
  it('makes the terms of the exchange those of the request', () => {
    const document = { ...good, at: 2, tmax: 900, cur: ['EUR', 'USD'], novel: { kept: true }, ext: { kept: 1 } };
    for (const dialect of ['2.5', '2.6'] as const) {
      expect(write(document, dialect)).to.deep.equal({ ...document, at: 1, tmax: 120, cur: ['USD'] });
    }
  });

  it('adds the publisher to block lists, once', () => {
    const document = { ...good, bcat: ['IAB7', 'IAB8'], badv: ['a.example'] };
    const terms = { blockedCategories: ['IAB8', 'IAB9'], blockedDomains: ['a.example', 'b.example'] };
    expect(write(document, '2.6', terms)).to.deep.include({
      bcat: ['IAB7', 'IAB8', 'IAB9'],
      badv: ['a.example', 'b.example'],
    });
    expect(write(good, '2.6', terms)).to.deep.include({ bcat: ['IAB8', 'IAB9'], badv: ['a.example', 'b.example'] });
  });

  it('leaves a bcat of another taxonomy to 2.6 and gives 2.5 what it can read', () => {
    const document = { ...good, cattax: 6, bcat: ['150'] };
    expect(write(document, '2.6', { blockedCategories: ['IAB9'] })).to.deep.include({ cattax: 6, bcat: ['150'] });
    const older = write(document, '2.5', { blockedCategories: ['IAB9'] });
    expect(older)
      .to.deep.include({ bcat: ['IAB9'] })
      .and.not.have.property('cattax');
  });

  for (const [inventory, stated, expected] of [
    ['site', { page: 'p' }, { page: 'p', content: { genre: 'drama' } }],
    ['app', { content: { title: 't' } }, { content: { title: 't', genre: 'drama' } }],
    ['app', { content: { genre: '' } }, { content: { genre: 'drama' } }],
    ['site', { content: { genre: 'sport' } }, { content: { genre: 'sport' } }],
    ['dooh', {}, { content: { genre: 'drama' } }],
  ] as const) {
    it(`fills a missing genre: ${inventory} ${JSON.stringify(stated)}`, () => {
      const written = write({ ...good, [inventory]: stated }, '2.6', { contentGenre: 'drama' });
      expect(written[inventory]).to.deep.equal(expected);
    });
  }

  it('raises floors to the seller’s and leaves higher ones', () => {
    const video = {
      mimes: ['video/mp4'],
      durfloors: [
        { maxdur: 15, bidfloor: 0.5 },
        { mindur: 16, bidfloor: 3 },
      ],
    };
    const deals = [
      { id: 'd', at: 2 },
      { id: 'e', at: 3, bidfloor: 4 },
      { id: 'f', at: 3 },
    ];
    const document = {
      ...good,
      imp: [
        { ...imp, bidfloor: 1 },
        { ...imp, id: '2', bidfloor: 2.5 },
        { id: '3', video, pmp: { deals } },
      ],
    };
    const written = write(document, '2.6', { floorCpmMicros: 1_250_000 });
    const durfloors = [
      { maxdur: 15, bidfloor: 1.25 },
      { mindur: 16, bidfloor: 3 },
    ];
    expect(written.imp).to.deep.equal([
      { ...imp, bidfloor: 1.25, bidfloorcur: 'USD' },
      { ...imp, id: '2', bidfloor: 2.5 },
      {
        id: '3',
        bidfloor: 1.25,
        bidfloorcur: 'USD',
        video: { ...video, durfloors },
        pmp: {
          deals: [
            { id: 'd', at: 1 },
            { id: 'e', at: 3, bidfloor: 4 },
            { id: 'f', at: 1 },
          ],
        },
      },
    ]);
  });

  it('tells the floors by duration that bind bids on a deal: its own, or where it has none those of the imp', () => {
    const durfloors = [{ maxdur: 15, bidfloor: 0.5 }];
    const video = { mimes: ['video/mp4'], mincpmpersec: 0.1, durfloors };
    const audio = { mimes: ['audio/mp4'] };
    const deals = [
      { id: 'own', bidfloor: 8 },
      { id: 'own', mincpmpersec: 0.2 },
      { id: 'none', bidfloor: 0, durfloors: [{ mindur: 1, maxdur: 30 }], at: 2 },
    ];
    const dealsOf = (parts: object) => {
      const document = { ...good, imp: [{ id: '1', bidfloor: 1, pmp: { deals }, ...parts }] };
      return write(document, '2.6', { floorCpmMicros: 1_250_000 }).imp[0].pmp.deals;
    };
    const floor = { bidfloor: 1.25, bidfloorcur: 'USD' };
    const own = [deals[0], { ...deals[1], ...floor }];
    const none = { ...deals[2], at: 1 };
    expect(dealsOf({ video })).to.deep.equal([...own, none]);
    expect(dealsOf({ audio })).to.deep.equal([
      ...own,
      { ...none, ...floor, durfloors: [{ mindur: 1, maxdur: 30, bidfloor: 1.25 }] },
    ]);
    expect(dealsOf({ video, audio })).to.deep.equal([...own, none]);
  });

  it('adds its link to the supply chain, wherever that is', () => {
    const node = { asi: 'exchange.example', sid: '9', hp: 1 } as const;
    const longer = { ...CHAIN, nodes: [...CHAIN.nodes, node] };
    for (const source of [{ schain: CHAIN }, { ext: { schain: CHAIN } }]) {
      expect(write({ ...good, source }, '2.6', { supplyChain: { node, begunComplete: 1 } }).source).to.deep.equal({
        schain: longer,
      });
      expect(write({ ...good, source }, '2.5', { supplyChain: { node, begunComplete: 1 } }).source).to.deep.equal({
        ext: { schain: longer },
      });
    }
    expect(write(good, '2.6', { supplyChain: { node, begunComplete: 1 } }).source.schain).to.deep.equal({
      complete: 1,
      ver: '1.0',
      nodes: [node],
    });
  });

  const OLD_PLACES = {
    ...good,
    site: { id: 's', ext: { inventorypartnerdomain: 'i.example' } },
    imp: [{ ...imp, ext: { rwdd: 1, own: 1 } }],
    regs: { coppa: 0, ext: { gdpr: 1, us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: [7] } },
    user: { id: 'u', ext: { consent: 'C', eids: EIDS, own: { x: 1 } } },
    source: { tid: 't', ext: { schain: CHAIN } },
  };
  const NEW_PLACES = {
    ...good,
    site: { id: 's', inventorypartnerdomain: 'i.example' },
    imp: [{ ...imp, rwdd: 1, ext: { own: 1 } }],
    regs: { coppa: 0, gdpr: 1, us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: [7] },
    user: { id: 'u', consent: 'C', eids: EIDS, ext: { own: { x: 1 } } },
    source: { tid: 't', schain: CHAIN },
  };
  for (const [from, document] of [
    ['2.5', OLD_PLACES],
    ['2.6', NEW_PLACES],
  ] as const) {
    it(`puts what a ${from} request says where each dialect has it`, () => {
      expect(write(document, '2.5')).to.deep.include({
        imp: OLD_PLACES.imp,
        site: OLD_PLACES.site,
        regs: OLD_PLACES.regs,
        user: OLD_PLACES.user,
        source: OLD_PLACES.source,
      });
      expect(write(document, '2.6')).to.deep.include({
        imp: NEW_PLACES.imp,
        site: NEW_PLACES.site,
        regs: NEW_PLACES.regs,
        user: NEW_PLACES.user,
        source: NEW_PLACES.source,
      });
    });
  }

  it('leaves out of 2.5 what only 2.6 knows', () => {
    const document = {
      ...good,
      imp: [
        {
          id: '1',
          ssai: 2,
          qty: { multiplier: 2 },
          video: { mimes: ['video/mp4'], plcmt: 1, podid: 'p', rqddurs: [15], own: 1 },
          audio: { mimes: ['audio/mp4'], poddur: 60 },
          pmp: { deals: [{ id: 'd', guar: 1, own: 2 }] },
        },
      ],
      app: {
        id: 'a',
        inventorypartnerdomain: 'i.example',
        cattax: 6,
        cat: ['150'],
        content: { langb: 'en-GB', network: {}, id: 'c' },
      },
      device: { ua: 'x', sua: { mobile: 1 } },
      user: { id: 'u', kwarray: ['k'] },
    };
    const older = write(document, '2.5');
    expect(older).to.deep.include({
      imp: [
        {
          id: '1',
          video: { mimes: ['video/mp4'], placement: 1, own: 1, minduration: 15, maxduration: 15 },
          audio: { mimes: ['audio/mp4'], maxduration: 60 },
          pmp: { deals: [{ id: 'd', own: 2 }] },
        },
      ],
      app: { id: 'a', content: { id: 'c' }, ext: { inventorypartnerdomain: 'i.example' } },
      device: { ua: 'x' },
      user: { id: 'u' },
    });
    expect(write(document, '2.6')).to.deep.equal({ ...document, at: 1, tmax: 120, cur: ['USD'] });
    expect(write({ ...good, dooh: { id: 'd' } }, '2.5')).to.not.have.property('dooh');
  });

  it('offers a 2.5 bidder the place of one ad of a pod, as long as it may be there', () => {
    for (const [pod, expected] of [
      [
        { poddur: 60, maxseq: 4, minduration: 5, maxduration: 90 },
        { minduration: 5, maxduration: 60 },
      ],
      [
        { poddur: 60, minduration: 5, maxduration: 30 },
        { minduration: 5, maxduration: 30 },
      ],
      [{ poddur: 60 }, { maxduration: 60 }],
      [
        { poddur: 60, rqddurs: [15, 30] },
        { minduration: 15, maxduration: 30 },
      ],
      [{ podid: 'p', slotinpod: 1, mincpmpersec: 0.1, maxduration: 30 }, { maxduration: 30 }],
    ] as const) {
      const document = { ...good, imp: [{ id: '1', video: { mimes: ['video/mp4'], ...pod } }] };
      expect(write(document, '2.5').imp[0].video).to.deep.equal({ mimes: ['video/mp4'], ...expected });
      expect(write(document, '2.6').imp).to.deep.equal(document.imp);
    }
  });

  it('tells a 2.5 bidder the lowest floor by duration of an imp with one format, where that is higher', () => {
    const ranges = [
      { maxdur: 15, bidfloor: 3 },
      { mindur: 16, maxdur: 30, bidfloor: 2 },
    ];
    for (const [priced, floor] of [
      [{ mincpmpersec: 0.1, minduration: 15, maxduration: 30 }, 1.5],
      [{ mincpmpersec: 0.1, minduration: 5, rqddurs: [30, 20] }, 2],
      [{ mincpmpersec: 0.1, minduration: 6, maxduration: 30 }, 1],
      [{ mincpmpersec: 0.1 }, 1],
      [{ durfloors: ranges, maxduration: 30 }, 2],
      [{ durfloors: ranges, maxduration: 31 }, 1],
      [{ durfloors: ranges, maxduration: 15 }, 3],
      [{ durfloors: ranges, mincpmpersec: 0.2, maxduration: 30 }, 3],
      [{ durfloors: [{ bidfloor: 0.5 }], maxduration: 30 }, 1],
      [
        {
          durfloors: [
            { mindur: 1, ...ranges[0]! },
            { mindur: 16, bidfloor: 5 },
          ],
          maxduration: 30,
        },
        3,
      ],
      [{ durfloors: Array.from({ length: 1_000 }, (_, mindur) => ({ mindur, bidfloor: 3 })), maxduration: 30 }, 1],
    ] as const) {
      const video = { mimes: ['video/mp4'], ...priced };
      const told = (parts: object, dialect: Dialect = '2.5') =>
        write({ ...good, imp: [{ id: '1', bidfloor: 1, video, ...parts }] }, dialect).imp[0];
      const words = JSON.stringify(priced);
      expect(told({}).bidfloor, words).to.equal(floor);
      expect(told({}, '2.6').bidfloor, words).to.equal(1);
      expect(told({ banner: imp.banner }).bidfloor, words).to.equal(1);
      const deals = [{ id: 'own', bidfloor: 1.25 }, { id: 'own', bidfloor: 1, ...priced }, { id: 'none' }];
      const floors = told({ pmp: { deals } }).pmp.deals.map(({ bidfloor }: { bidfloor: number }) => bidfloor);
      expect(floors, words).to.deep.equal([1.25, floor, undefined]);
    }
  });

  it('keeps the placement that 2.5 knows beside the plcmt that it does not', () => {
    for (const [plcmt, placement, expected] of [
      [1, 4, 4],
      [3, undefined, 5],
      [2, undefined, undefined],
    ] as const) {
      const document = { ...good, imp: [{ id: '1', video: { mimes: ['video/mp4'], plcmt, placement } }] };
      expect(write(document, '2.5').imp[0].video.placement, `${plcmt} and ${placement}`).to.equal(expected);
    }
  });

  it('takes nothing from a prototype that the caller sends', () => {
    const document = JSON.parse(`{"id":"r","imp":[{"id":"1","banner":{}}],"__proto__":{"site":{"id":"smuggled"}}}`);
    for (const dialect of ['2.5', '2.6'] as const) {
      const body = writeBidRequest(parseBidRequest(document), dialect, { ...TERMS, contentGenre: 'drama' });
      expect(body).to.not.include('smuggled');
    }
  });

  it('leaves the caller’s request as it was', () => {
    const priced = {
      pmp: { deals: [{ id: 'd', at: 2 }] },
      video: { mimes: ['video/mp4'], plcmt: 1, durfloors: [{ maxdur: 15 }] },
    };
    const site = { cattax: 6, cat: ['150'], publisher: { id: 'p', cattax: 6 }, content: { title: 't', langb: 'en' } };
    const terms = {
      ...TERMS,
      blockedDomains: ['b.example'],
      blockedCategories: ['IAB1'],
      contentGenre: 'drama',
      floorCpmMicros: 5,
      supplyChain: { node: { asi: 'exchange.example', sid: '9' }, begunComplete: 1 as const },
    };
    for (const places of [OLD_PLACES, NEW_PLACES]) {
      const document = { ...places, badv: ['a.example'], site, imp: [{ ...places.imp[0], ...priced }] };
      const request = parseBidRequest(structuredClone(document));
      for (const dialect of ['2.5', '2.6'] as const) {
        writeBidRequest(request, dialect, terms);
        expect(request).to.deep.equal(document);
      }
    }
  });

  it('says the same in both dialects, and back', () => {
    const flag = fc.constantFrom(0, 1);
    const word = fc.string({ maxLength: 8 });
    const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
    const privacy = { gdpr: some(flag), us_privacy: some(word), gpp: some(word), gpp_sid: some(fc.array(fc.nat(20))) };
    const eids = some(fc.array(fc.record({ source: word, uids: fc.array(fc.record({ id: word })) }), { maxLength: 2 }));
    const identity = { consent: some(word), eids };
    const chain = fc.record({
      complete: flag,
      ver: fc.constant('1.0'),
      nodes: fc.array(fc.record({ asi: word, sid: word, hp: flag }), { maxLength: 3 }),
    });
    const requests = fc.record({
      id: fc.constant('r'),
      imp: fc
        .array(fc.record({ rwdd: some(flag), ext: some(fc.record({ rwdd: some(flag), own: some(word) })) }), {
          minLength: 1,
          maxLength: 3,
        })
        .map((imps) => imps.map((fields, index) => ({ ...imp, ...fields, id: `${index}` }))),
      regs: some(fc.record({ coppa: some(flag), ...privacy, ext: some(fc.record({ ...privacy, own: some(word) })) })),
      user: some(fc.record({ id: some(word), ...identity, ext: some(fc.record({ ...identity, own: some(word) })) })),
      source: some(fc.record({ tid: some(word), schain: some(chain), ext: some(fc.record({ schain: some(chain) })) })),
    });
    fc.assert(
      fc.property(requests, (document) => {
        const stated = parseBidRequest(JSON.parse(JSON.stringify(document)));
        const older = write(document, '2.5');
        const newer = write(document, '2.6');
        for (const written of [older, newer]) {
          expect(readSignals(written)).to.deep.equal(readSignals(stated));
          expect(written.imp.map(isRewarded)).to.deep.equal(stated.imp.map(isRewarded));
        }
        // Each place is used by one dialect alone.
        for (const field of ['gdpr', 'us_privacy', 'gpp', 'gpp_sid']) {
          expect(older.regs ?? {}).to.not.have.property(field);
          expect(newer.regs?.ext ?? {}).to.not.have.property(field);
        }
        expect(tidied(write(newer, '2.5'))).to.deep.equal(tidied(older));
        expect(tidied(write(older, '2.6'))).to.deep.equal(tidied(newer));
      }),
    );
  });
});

/** Without empty `ext` objects: whether one is written says nothing. */
function tidied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(tidied);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field, content]) => field !== 'ext' || Object.keys(content as object).length > 0)
      .map(([field, content]) => [field, tidied(content)]),
  );
}

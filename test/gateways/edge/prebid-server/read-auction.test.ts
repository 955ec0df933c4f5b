import { expect } from 'chai';
import { CurrencyRates } from '#exchange/currency/currency-rates';
import { InvalidFloor } from '#exchange/openrtb/invalid-bid-request';
import { readBidRequest } from '#exchange/openrtb/parse-bid-request';
import { raiseFloors, readAuction } from '#gateways/edge/prebid-server/read-auction';
import { StoredRequests } from '#gateways/edge/prebid-server/stored-requests';
import { MemoryReplica } from '#test/support/memory-replica';

const SOURCE = 'source-1';

type Json = Record<string, unknown>;

describe('gateways/edge/prebid-server/read-auction', () => {
  const replica = new MemoryReplica();
  replica.put('publisher', { id: SOURCE } as never);
  replica.put('stored-requests', {
    id: SOURCE,
    requests: { home: { tmax: 900, ext: { prebid: { targeting: { pricegranularity: 'low' } } }, cur: ['USD'] } },
    imps: {
      'top-banner': {
        banner: { format: [{ w: 320, h: 50 }] },
        bidfloor: 0.4,
        ext: { prebid: { bidder: { adexchange: { publisherId: SOURCE } } } },
      },
    },
  } as never);
  const stored = new StoredRequests(replica);
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever was made
  const read = (body: Json): any => readAuction(body, stored, 'adexchange');
  const banner = { format: [{ w: 300, h: 250 }] };
  const imp = (bidder: Json, more: Json = {}) => ({ id: '1', banner, ext: { prebid: { bidder }, ...more } });
  const site = { page: 'https://site.test/', publisher: { id: SOURCE } };

  it('asks for the supply source of the parameters before that of the request', () => {
    const { request, imps } = read({
      id: 'r',
      site: { ...site, id: 'own', publisher: { id: 'account', name: 'N' } },
      imp: [imp({ adexchange: { publisherId: SOURCE } })],
    });
    expect(request.site).to.include({ id: SOURCE, page: 'https://site.test/' });
    expect(request.site.publisher).to.deep.equal({ id: SOURCE, name: 'N' });
    expect([...imps]).to.deep.equal([['1', { code: 'adexchange', passthrough: undefined, floorCpm: null }]]);
  });

  it('takes away what is for Prebid Server and other bidders, and keeps what is data', () => {
    const { request } = read({
      id: 'r',
      site,
      imp: [imp({ adexchange: {}, rubicon: { secret: 1 } }, { gpid: '/1/a', data: { pbadslot: 'a' }, adexchange: {} })],
      ext: { prebid: { debug: true }, other: 1 },
    });
    expect(request.imp[0].ext).to.deep.equal({ gpid: '/1/a', data: { pbadslot: 'a' } });
    expect(request.ext).to.deep.equal({ other: 1 });
  });

  it('keeps the code that was asked for: in any case, by an alias, or in ext itself', () => {
    const aliases = { mine: 'adExchange' };
    const codeOf = (asked: Json) =>
      read({ id: 'r', site, imp: [asked], ext: { prebid: { aliases } } }).imps.get('1').code;
    expect(codeOf(imp({ AdExchange: {} }))).to.equal('AdExchange');
    expect(codeOf(imp({ mine: {} }))).to.equal('mine');
    expect(codeOf({ id: '1', banner, ext: { adexchange: {} } })).to.equal('adexchange');
    expect(codeOf({ id: '1', banner })).to.equal('adexchange');
  });

  it('leaves out imps of other bidders, and tells of those; with none of its own it refuses', () => {
    const both = { id: 'r', site, imp: [imp({ adexchange: {}, rubicon: {} }), { ...imp({ appnexus: {} }), id: '2' }] };
    const { request, unknown, errors } = read(both);
    expect(request.imp).to.have.length(1);
    expect([...unknown]).to.deep.equal([
      ['rubicon', ['1']],
      ['appnexus', ['2']],
    ]);
    expect(errors.get('rubicon')[0]).to.include({ code: 2 });
    expect(() => read({ id: 'r', site, imp: [imp({ rubicon: {} })] })).to.throw(
      'request.imp[0].ext.prebid.bidder contains unknown bidder: rubicon',
    );
  });

  it('auctions the imps of one supply source alone', () => {
    const { request, errors } = read({
      id: 'r',
      imp: [
        imp({ adexchange: { publisherId: SOURCE } }),
        { ...imp({ adexchange: { publisherId: 'other' } }), id: '2' },
      ],
    });
    expect(request.imp.map(({ id }: { id: string }) => id)).to.deep.equal(['1']);
    expect(errors.get('adexchange')[0].message).to.contain('imp 2');
  });

  it('takes placement and floor from the parameters, and the higher floor, whatever its currency', () => {
    const params = { placement: 'sidebar', bidFloor: 1.5 };
    const rates = new CurrencyRates({ asOf: '2026-03-15T00:00:00.000Z', dollarsPerUnit: { EUR: 1.25 } });
    const floored = (bidfloor?: number, bidfloorcur?: string) => {
      const slot = { ...imp({ adexchange: params }), bidfloor, bidfloorcur };
      const { request, imps } = read({ id: 'r', site, imp: [JSON.parse(JSON.stringify(slot))] });
      const { request: converted } = readBidRequest(request, rates);
      raiseFloors(converted, imps);
      return converted.imp[0];
    };
    expect(floored(0.5)).to.include({ tagid: 'sidebar', bidfloor: 1.5, bidfloorcur: 'USD' });
    expect(floored()).to.include({ bidfloor: 1.5, bidfloorcur: 'USD' });
    expect(floored(2)).to.include({ bidfloor: 2 });
    expect(floored(1.1, 'EUR')).to.include({ bidfloor: 1.5, bidfloorcur: 'USD' });
    expect(floored(2, 'EUR')).to.include({ bidfloor: 2.5, bidfloorcur: 'USD' });
    expect(floored(1, 'usd')).to.include({ bidfloor: 1.5, bidfloorcur: 'USD' });
    params.bidFloor = 20_000;
    expect(() => floored(2)).to.throw(InvalidFloor, 'must be a CPM');
  });

  it('shows developers the floors that were stated, and not those in US dollars', () => {
    const euros = { video: { mimes: ['video/mp4'], mincpmpersec: 0.2 }, bidfloor: 4, bidfloorcur: 'EUR' };
    const rates = new CurrencyRates({ asOf: '2026-03-15T00:00:00.000Z', dollarsPerUnit: { EUR: 1.25 } });
    const { request, resolved } = read({ id: 'r', site, test: 1, imp: [{ ...imp({ adexchange: {} }), ...euros }] });
    readBidRequest(request, rates);
    expect(request.imp[0]).to.deep.include({ bidfloor: 5, video: { mimes: ['video/mp4'], mincpmpersec: 0.25 } });
    expect(resolved.imp[0]).to.deep.include({ bidfloor: 4, video: { mimes: ['video/mp4'], mincpmpersec: 0.2 } });
  });

  describe('what was stored', () => {
    it('is completed by the request and its imps, lists being given whole', () => {
      const { request, targeting } = read({
        id: 'r',
        site,
        cur: ['EUR', 'USD'],
        imp: [{ id: '1', bidfloor: 0.6, ext: { prebid: { storedrequest: { id: 'top-banner' } } } }],
        ext: { prebid: { storedrequest: { id: 'home' } } },
      });
      expect(request).to.deep.include({ tmax: 900, cur: ['EUR', 'USD'] });
      expect(request.imp[0]).to.deep.equal({ id: '1', bidfloor: 0.6, banner: { format: [{ w: 320, h: 50 }] } });
      expect(targeting.granularity.ranges[0].incrementMicros).to.equal(500_000);
    });

    it('is found by the parameters, by its whole name, or beside an account that names nothing else', () => {
      const app = { bundle: 'b' };
      const slot = (id: string) => [{ id: '1', ext: { prebid: { storedrequest: { id } } } }];
      const whole = read({ id: 'r', app, imp: slot(`${SOURCE}/top-banner`) });
      expect(whole.request.app.id).to.equal(SOURCE);
      const sdk = read({
        id: 'r',
        app,
        imp: slot('top-banner'),
        ext: { prebid: { storedrequest: { id: SOURCE } } },
      });
      expect(sdk.request.imp[0].banner).to.deep.equal({ format: [{ w: 320, h: 50 }] });
      expect(sdk.request.app).to.deep.include({ id: SOURCE, publisher: { id: SOURCE } });
    });

    it('stays as it was stored when its floors are converted, however often it is asked for', () => {
      const euros = {
        bidfloor: 4,
        bidfloorcur: 'EUR',
        video: { mimes: ['video/mp4'], mincpmpersec: 0.2, durfloors: [{ mindur: 15, bidfloor: 8 }], skip: null },
        pmp: { deals: [{ id: 'd', bidfloor: 8, bidfloorcur: 'EUR' }] },
      };
      const edge = new MemoryReplica();
      edge.put('publisher', { id: SOURCE } as never);
      edge.put('stored-requests', {
        id: SOURCE,
        requests: { whole: { imp: [{ id: '1', ...euros }] } },
        imps: { video: euros },
      } as never);
      const untouched = JSON.stringify(edge.get('stored-requests', SOURCE));
      const rates = new CurrencyRates({ asOf: '2026-03-15T00:00:00.000Z', dollarsPerUnit: { EUR: 1.25 } });
      const storedrequest = (id: string) => ({ ext: { prebid: { storedrequest: { id } } } });
      const twice = [
        { id: '1', ...storedrequest('video') },
        { id: '2', ...storedrequest('video') },
      ];
      for (const asked of [{ imp: twice }, storedrequest('whole'), { imp: twice }, storedrequest('whole')]) {
        const auction = readAuction({ id: 'r', site, ...asked }, new StoredRequests(edge), 'adexchange');
        for (const { bidfloor, video, pmp } of readBidRequest(auction.request, rates).request.imp) {
          expect(bidfloor).to.equal(5);
          expect(video).to.deep.include({ mincpmpersec: 0.25, durfloors: [{ mindur: 15, bidfloor: 10 }] });
          expect(pmp!.deals).to.deep.equal([{ id: 'd', bidfloor: 10, bidfloorcur: 'USD' }]);
        }
      }
      expect(JSON.stringify(edge.get('stored-requests', SOURCE))).to.equal(untouched);
    });

    it('counts as often as it is named, before any of it is merged', () => {
      const names = (count: number, id: string) =>
        Array.from({ length: count }, (_, at) => ({ id: `${at}`, ext: { prebid: { storedrequest: { id } } } }));
      const edge = new MemoryReplica();
      edge.put('publisher', { id: SOURCE } as never);
      const ext = Object.fromEntries(Array.from({ length: 990 }, (_, at) => [`a${at}`, at]));
      const storedRequests = {
        id: SOURCE,
        requests: { many: { imp: names(21, 'wide') } },
        imps: { wide: { banner, ext } },
      };
      edge.put('stored-requests', storedRequests as never);
      const asked = (body: Json) => () =>
        readAuction({ id: 'r', site, ...body }, new StoredRequests(edge), 'adexchange');
      const named = (id: string) => ({ ext: { prebid: { storedrequest: { id } } } });
      expect(asked({ imp: names(19, 'wide') })).to.not.throw();
      for (const body of [{ imp: names(21, 'wide') }, { imp: names(50, 'wide') }, named('many')]) {
        expect(asked(body)).to.throw('with what is stored for it, must have at most 20000 fields in all');
      }
    });

    it('is named in the refusal where there is none', () => {
      const named = (id: string, more: Json = { site }) =>
        read({ id: 'r', ...more, imp: [{ id: '1', ext: { prebid: { storedrequest: { id } } } }] });
      expect(() => named('missing'))
        .to.throw('no such stored imp')
        .with.property('field', 'imp[0].ext.prebid.storedrequest.id');
      expect(() => named('__proto__')).to.throw('no such stored imp');
      expect(() => named('constructor')).to.throw('no such stored imp');
      expect(() => named('top-banner', {})).to.throw('names nothing without its supply source');
      expect(() => named('other/top-banner')).to.throw('no such stored imp');
    });
  });

  describe('what a request says of single bidders', () => {
    const withPrebid = (prebid: Json, more: Json = {}) =>
      read({ id: 'r', site, imp: [imp({ adexchange: {} })], ext: { prebid }, ...more }).request;

    it('adds the configuration of this bidder and no other’s', () => {
      const config = (keywords: string) => ({ ortb2: { site: { keywords }, user: { yob: 1990 } } });
      const told = withPrebid({
        bidderconfig: [
          { bidders: ['rubicon'], config: config('theirs') },
          { bidders: ['adexchange'], config: config('ours') },
        ],
      });
      expect(told.site.keywords).to.equal('ours');
      expect(told.user).to.deep.equal({ yob: 1990 });
    });

    it('adds its configurations in their order', () => {
      const of = (ortb2: Json) => ({ bidders: ['*'], config: { ortb2 } });
      const told = withPrebid(
        {
          bidderconfig: [
            of({ site: { content: null, ext: { a: 1, b: 1 } }, user: { ext: { a: { kept: 1 } } } }),
            of({ site: { content: { title: 't' }, ext: { a: null } }, user: 7 }),
            of({ site: { ext: { c: { d: null } } }, app: { name: 'none' } }),
          ],
        },
        { site: { ...site, content: { genre: 'g' } } },
      );
      expect(told.site).to.deep.include({ content: { title: 't' }, ext: { b: 1, c: {} } });
      expect(told.user).to.deep.equal({ ext: { a: { kept: 1 } } });
      expect(told).to.not.have.property('app');
    });

    it('keeps ids that are reserved for others, and data of the publisher’s own, to itself', () => {
      const eids = [{ source: 'a.test' }, { source: 'b.test' }];
      const user = { eids, ext: { eids, data: { secret: 1 } } };
      const eidpermissions = [
        { source: 'a.test', bidders: ['rubicon'] },
        { source: 'b.test', bidders: ['*'] },
      ];
      const told = withPrebid({ data: { bidders: ['rubicon'], eidpermissions } }, { user });
      expect(told.user).to.deep.equal({ eids: [eids[1]], ext: { eids: [eids[1]] } });
      expect(withPrebid({ data: { bidders: ['adexchange'] } }, { user }).user).to.deep.equal(user);
    });

    it('takes the supply chain for this bidder before that for all, and the request’s own before both', () => {
      const chain = (asi: string) => ({ ver: '1.0', complete: 1, nodes: [{ asi, sid: '1', hp: 1 }] });
      const schains = [
        { bidders: ['*'], schain: chain('all.test') },
        { bidders: ['adexchange'], schain: chain('ours.test') },
      ];
      expect(withPrebid({ schains }).source.schain.nodes[0].asi).to.equal('ours.test');
      expect(withPrebid({ schains: schains.slice(0, 1) }).source.schain.nodes[0].asi).to.equal('all.test');
      const source = { ext: { schain: chain('own.test') } };
      expect(withPrebid({ schains }, { source }).source).to.deep.equal(source);
    });

    it('changes the imp as its own attributes for this bidder say', () => {
      const changed = imp({ adexchange: {} });
      changed.ext.prebid = { ...changed.ext.prebid, imp: { adexchange: { instl: 1, id: 'x' } } } as never;
      const [told] = read({ id: 'r', site, imp: [changed] }).request.imp;
      expect(told).to.include({ id: '1', instl: 1 });
    });
  });

  it('refuses more fields than a request may have before it merges any', () => {
    const fields = (count: number, value: unknown = 1) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, value]));
    const asked = (ext: Json) => ({ id: 'r', site, imp: [imp({ adexchange: {} })], ext });
    expect(() => read(asked(fields(1_000)))).to.not.throw();
    expect(() => read(asked({ prebid: { aliases: fields(1_001, 'adexchange') } }))).to.throw('at most 1000 fields');
    expect(() => read({ ...asked({}), imp: [imp(fields(1_001))] })).to.throw('at most 1000 fields');
    expect(() => read(asked(fields(100, fields(198))))).to.throw('at most 20000 fields in all');
    expect(() => read(asked({ list: Array.from({ length: 20_000 }, () => ({})) }))).to.throw('at most 20000');
    expect(() => read({ ...asked({}), badv: Array.from({ length: 10_000 }, () => 'a.test') })).to.not.throw();
  });

  it('survives whatever stands in the place of an object', () => {
    for (const wrong of [null, 1, 'text', [], [[]], { a: null }]) {
      for (const field of ['imp', 'site', 'ext', 'user', 'source']) {
        expect(() => read({ id: 'r', site, imp: [imp({ adexchange: {} })], [field]: wrong })).to.not.throw(TypeError);
      }
      for (const field of ['aliases', 'bidderconfig', 'schains', 'data', 'cache', 'targeting', 'storedrequest']) {
        const ext = { prebid: { [field]: wrong } };
        expect(() => read({ id: 'r', site, imp: [imp({ adexchange: {} })], ext })).to.not.throw(TypeError);
      }
    }
    expect(() => readAuction([], stored, 'adexchange')).to.throw('must be an object');
  });
});

import { VASTParser } from '@dailymotion/vast-client';
import { DOMParser } from '@xmldom/xmldom';
import { expect } from 'chai';
import type { VastVersion } from '#exchange/vast/vast-version';
import { noBid } from '#test/support/bidder';
import { EdgeUnderTest, jsonOf } from '#test/support/edge';
import { spotAd, spotBids, spotVast } from '#test/support/spot';
import { describeWithSchemas, schemaFaults } from '#test/support/vast-schemas';

describe('a pod by a tag', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
    exchange.publisher({ type: 'ctv', domain: 'com.example.tv' });
  });
  afterEach(() => exchange.close());

  const answered = (query: string) => exchange.get(`/vast?site_id=pub-1&poddur=60${query}`);
  const pod = async (query = '') => (await answered(query)).text();
  const places = (xml: string) =>
    [...xml.matchAll(/<Ad ([^>]*)>/g)].map(([, attributes]) => {
      const read = (name: string) => new RegExp(` ?${name}="([^"]*)"`).exec(attributes!)?.[1];
      return `${read('sequence')} ${read('id')}`;
    });
  const versionOf = (xml: string) => /<VAST version="([^"]*)"/.exec(xml)?.[1];

  /** Two bidders' inline ads of two versions, a wrapper and a delegate's film. */
  async function fourSellers(): Promise<void> {
    await exchange.bidder(
      spotBids({ name: 'old', price: 5, version: '2.0' }, { name: 'wrapped', price: 4, version: '3.0', wrapper: true }),
      { id: 'dsp-1' },
    );
    await exchange.bidder(spotBids({ name: 'newer', price: 3, version: '4.1' }), { id: 'dsp-2' });
    const url = 'https://buyer.test/film';
    exchange.asset({ url, content: { kind: 'vast', ad: spotAd({ name: 'film' }) } });
    const creative = { creative_id: 'film', vast_url: url };
    exchange.delegate([{ id: 'film', adomain: ['film.example'], creative, bidding: { base_cpm: 2 } }], { id: 'dsp-3' });
  }

  it('is one document of the winners’ ads in their order, each with its own Impression before its buyer’s', async () => {
    await fourSellers();
    const response = await answered('&version=4.0');
    expect(response.headers.get('content-type')).to.match(/^application\/xml/);
    const xml = await response.text();
    expect(versionOf(xml)).to.equal('4.0');
    expect(places(xml)).to.deep.equal(['1 old', '2 wrapped', '3 newer', '4 film']);
    const impressions = [...xml.matchAll(/<!\[CDATA\[(https:\/\/edge\.test\/track\/impression\?[^\]]*)\]\]>/g)];
    expect(new Set(impressions.map(([, url]) => new URL(url!).searchParams.get('t'))).size).to.equal(4);
    expect(impressions.map(([, url]) => new URL(url!).searchParams.get('dsp'))).to.deep.equal([
      'dsp-1',
      'dsp-1',
      'dsp-2',
      'dsp-3',
    ]);
    for (const name of ['old', 'wrapped', 'newer', 'film'])
      expect(xml).to.contain(`https://dsp.test/${name}/impression`);
    expect(xml)
      .to.match(/<Wrapper [^>]*allowMultipleAds="false"/)
      .and.contain('https://dsp.test/wrapped/inline');
    expect(await exchange.counted('publisher', 'pub-1')).to.include({ imps: 1, filledImps: 1 });
  });

  it('is read in its order by a player’s parser', async () => {
    await fourSellers();
    const document = new DOMParser().parseFromString(await pod('&wrapper=0'), 'text/xml');
    const { ads } = await new VASTParser().parseVAST(document);
    expect(ads.map(({ id, sequence }: { id: string; sequence: string }) => [id, Number(sequence)])).to.deep.equal([
      ['old', 1],
      ['newer', 2],
      ['film', 3],
    ]);
  });

  const versions: readonly (readonly [query: string, version: string])[] = [
    ['', '4.2'],
    ['&version=3.0', '3.0'],
    ['&version=2.0,3.0,4.0', '4.0'],
    // The delegate's film comes in the newest that the player takes.
    ['&version=4.1,4.2', '4.2'],
  ];
  for (const [query, version] of versions) {
    it(`${query || 'unsaid'}: is VAST ${version}, of whichever versions its ads were`, async () => {
      await fourSellers();
      const xml = await pod(query);
      expect(versionOf(xml)).to.equal(version);
      expect(places(xml)).to.have.length(4);
    });
  }

  it('has no wrappers for a player that follows none', async () => {
    await fourSellers();
    expect(places(await pod('&wrapper=0'))).to.deep.equal(['1 old', '2 newer', '3 film']);
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ wins: 1, 'losses/vast-not-taken': 1 });
  });

  it('has a bidder’s inline ads though all of its dearer ones are wrappers, which the player does not follow', async () => {
    const wrappers = Array.from({ length: 8 }, (_, at) => ({ name: `w${at}`, price: 9, wrapper: true }));
    await exchange.bidder(spotBids(...wrappers, { name: 'a', price: 2 }, { name: 'b', price: 1 }));
    expect(places(await pod('&wrapper=0&poddedupe=0&maxseq=4'))).to.deep.equal(['1 a', '2 b']);
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ wins: 2, 'losses/vast-not-taken': 8 });
  });

  it('fills the place of an ad that cannot be joined with the next', async () => {
    await exchange.bidder(
      spotBids(
        { name: 'broken', price: 9, bid: { adm: '<VAST version="3.0"><Ad>' } },
        {
          name: 'two',
          price: 8,
          bid: {
            adm: `${spotVast({ name: 'two' }).replaceAll('id="two"', 'sequence="1"').replace('</VAST>', '')}${spotVast({
              name: 'two',
            })
              .replace(/^<VAST[^>]*>/, '')
              .replace('id="two"', 'sequence="2"')}`,
          },
        },
        { name: 'longer', price: 7, bid: { adm: spotVast({ name: 'longer', seconds: 30 }) } },
        { name: 'a', price: 2 },
        { name: 'b', price: 1 },
      ),
    );
    expect(places(await pod('&maxseq=2'))).to.deep.equal(['1 a', '2 b']);
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({
      wins: 2,
      'losses/creative-rejected': 2,
      'losses/duration-not-allowed': 1,
    });
  });

  it('tells every winner that it has won, and names its sales in the document alone', async () => {
    const told = await exchange.bidder(noBid(), { id: 'dsp-9' });
    const won = (name: string) => ({ nurl: `${told.origin}/won/${name}?p=\${AUCTION_PRICE}` });
    await exchange.bidder(spotBids({ name: 'a', price: 2, bid: won('a') }, { name: 'b', price: 1, bid: won('b') }));
    const { headers } = await exchange.get('/vast?site_id=pub-1&poddur=60', { origin: 'https://site.test' });
    expect(headers.has('x-ad-tracking')).to.equal(false);
    const notices = await told.waitForRequests('/won', 2);
    expect(notices.map(({ path }) => path)).to.have.members(['/won/a?p=2', '/won/b?p=1']);
  });

  it('keeps competitors apart, and has one ad only where only one fits', async () => {
    await exchange.bidder(
      spotBids(
        { name: 'a', price: 5, bid: { cat: ['IAB2'] } },
        { name: 'rival', price: 3, bid: { cat: ['IAB2'] } },
        { name: 'other', price: 1 },
      ),
    );
    expect(places(await pod())).to.deep.equal(['1 a', '2 other']);
    expect(places(await pod('&poddedupe=1'))).to.deep.equal(['1 a', '2 rival', '3 other']);
    expect(places(await (await exchange.get('/vast?site_id=pub-1&poddur=20')).text())).to.deep.equal(['1 a']);
    expect(places(await pod('&mincpmpersec=0.1'))).to.deep.equal(['1 a']);
  });

  it('is the empty document when there is no bid', async () => {
    expect(await pod()).to.contain('<VAST version="4.0" xmlns="http://www.iab.com/VAST"/>');
  });

  it('is one ad as its bidder wrote it without poddur, in a place of a pod or not', async () => {
    await exchange.bidder(spotBids({ name: 'a', price: 5 }, { name: 'b', price: 4 }));
    for (const query of ['', '&podid=p&slotinpod=1']) {
      const xml = await (await exchange.get(`/vast?site_id=pub-1${query}`)).text();
      expect(places(xml)).to.deep.equal(['undefined a']);
      expect(xml).to.contain(spotVast({ name: 'a' }).slice(-200));
    }
  });

  it('is had of audio too', async () => {
    const audio = (name: string) =>
      spotVast({ name }).replace('video/mp4', 'audio/mpeg').replace('width="640" height="360"', 'width="0" height="0"');
    const heard = (name: string) => ({ mtype: 3, adm: audio(name) });
    await exchange.bidder(spotBids({ name: 'a', price: 2, bid: heard('a') }, { name: 'b', price: 1, bid: heard('b') }));
    const response = await exchange.get('/ad?publisher_id=pub-1&format=audio&poddur=30&maxseq=2');
    expect(places(await response.text())).to.deep.equal(['1 a', '2 b']);
  });

  it('is asked of bidders as its tag asks for it', async () => {
    const bidder = await exchange.bidder(noBid());
    await pod('&maxseq=4&minduration=6&mincpmpersec=0.05&podid=p1&podseq=-1&slotinpod=2&poddedupe=1,3');
    await exchange.get('/vast?site_id=pub-1&poddur=45&rqddurs=15,30');
    await exchange.get('/vast?site_id=pub-1&poddur=45');
    const [full, exact, plain] = (await bidder.waitForRequests('/bid', 3)).map(({ body }) => body.imp[0].video);
    expect(full).to.deep.include({
      poddur: 60,
      maxseq: 4,
      minduration: 6,
      maxduration: 60,
      mincpmpersec: 0.05,
      podid: 'p1',
      podseq: -1,
      slotinpod: 2,
      poddedupe: [1, 3],
    });
    expect(exact)
      .to.deep.include({ poddur: 45, rqddurs: [15, 30] })
      .and.not.have.any.keys('minduration', 'maxduration');
    expect(plain).to.include({ poddur: 45, minduration: 1, maxduration: 45 });
  });

  const refused: readonly (readonly [query: string, field: string, status?: number])[] = [
    ['poddur=0', 'poddur'],
    ['poddur=long', 'poddur'],
    ['poddur=60&maxseq=0', 'maxseq'],
    ['maxseq=3', 'maxseq'],
    ['poddur=60&version=2.0', 'version'],
    ['poddur=10&minduration=15', 'minduration'],
    ['poddur=60&rqddurs=15,x', 'rqddurs'],
    ['poddur=60&rqddurs=15&maxduration=30', 'maxduration'],
    ['poddur=60&podseq=2', 'podseq'],
    ['poddur=60&slotinpod=3', 'slotinpod'],
    ['poddur=60&poddedupe=9', 'poddedupe'],
    ['poddur=60&mincpmpersec=cheap', 'mincpmpersec'],
    ['poddur=60&mincpmpersec=-1', 'mincpmpersec', 403],
  ];
  for (const [query, field, status = 400] of refused) {
    it(`with ${query} is ${status} and names ${field}`, async () => {
      const response = await exchange.get(`/vast?site_id=pub-1&${query}`);
      expect(response.status).to.equal(status);
      const { error } = await jsonOf(response);
      expect(error.field ?? error.message).to.contain(field);
    });
  }

  describeWithSchemas('by the IAB schemas', () => {
    for (const version of ['3.0', '4.0', '4.1', '4.2'] satisfies VastVersion[]) {
      it(`is valid ${version}, of sellers of all kinds`, async () => {
        await fourSellers();
        const xml = await pod(`&version=${version}`);
        expect(places(xml)).to.have.length(4);
        expect(await schemaFaults(version, [xml])).to.deep.equal([]);
      });
    }
  });
});

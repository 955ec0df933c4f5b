import { expect } from 'chai';
import { explainLoss } from '#exchange/auction/explain-reason';
import { bids } from '#test/support/bidder';
import { EdgeUnderTest } from '#test/support/edge';

const NO_SIZE = { w: undefined, h: undefined };

function vast(version: string, body: 'InLine' | 'Wrapper'): string {
  const wrapped = body === 'Wrapper' ? '<VASTAdTagURI>https://d.test/next</VASTAdTagURI>' : '<AdTitle>t</AdTitle>';
  const parts = `<AdSystem>t</AdSystem>${wrapped}<Impression>https://d.test/i</Impression><Creatives/>`;
  return `<VAST version="${version}"><Ad id="1"><${body}>${parts}</${body}></Ad></VAST>`;
}

describe('what a player takes', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
  });
  afterEach(() => exchange.close());

  const cases: readonly (readonly [query: string, adm: string, taken: boolean])[] = [
    ['', vast('2.0', 'Wrapper'), true],
    ['&version=3.0', vast('3.0', 'InLine'), true],
    ['&version=3.0', vast('3.0', 'Wrapper'), true],
    ['&version=3.0', vast('4.2', 'InLine'), false],
    ['&version=2.0', vast('2.0.1', 'InLine'), true],
    ['&version=2.0,4.2', vast('4.2', 'InLine'), true],
    ['&wrapper=0', vast('4.0', 'Wrapper'), false],
    ['&wrapper=0', vast('4.0', 'InLine'), true],
  ];
  for (const [query, adm, taken] of cases) {
    const document = `${/version="[^"]*"/.exec(adm)![0]} ${adm.includes('Wrapper') ? 'wrapper' : 'inline'}`;
    it(`${query || 'unsaid'}: ${document} ${taken ? 'wins' : 'loses as vast-not-taken'}`, async () => {
      await exchange.bidder(bids({ price: 3, adm, ...NO_SIZE }));
      const answer = await (await exchange.get(`/vast?site_id=pub-1${query}`)).text();
      expect(answer.includes('https://d.test/i')).to.equal(taken);
      const { wins = 0, 'losses/vast-not-taken': rejected = 0 } = await exchange.counted('dsp', 'dsp-1');
      expect([wins, rejected]).to.deep.equal(taken ? [1, 0] : [0, 1]);
    });
  }

  it('is named as the cause, with the version that was brought', async () => {
    await exchange.bidder(bids({ price: 3, adm: vast('4.0', 'InLine'), ...NO_SIZE }), { id: 'dsp-1' });
    await exchange.bidder(bids({ price: 3, adm: `<!DOCTYPE VAST>${vast('4.2', 'InLine')}`, ...NO_SIZE }), {
      id: 'dsp-2',
    });
    await exchange.get('/vast?site_id=pub-1&version=4.2');
    const [record] = await exchange.records();
    const lost = record!.parts.map(({ dspId, bids: [bid] }) => [dspId, bid!.reason, bid!.detail]).sort();
    expect(lost[0]).to.deep.equal(['dsp-1', 'vast-not-taken', 'the player takes no document of VAST 4.0']);
    expect(lost[1]!.slice(0, 2)).to.deep.equal(['dsp-2', 'creative-rejected']);
    expect(lost[1]![2]).to.match(/DOCTYPE/);
    expect(explainLoss('vast-not-taken', lost[0]![2]).words).to.equal(
      'The bid brought VAST that the player has said it does not take: the player takes no document of VAST 4.0.',
    );
  });

  it('gives way to a lower bid that the player takes', async () => {
    await exchange.bidder(bids({ price: 3, adm: vast('4.0', 'Wrapper'), ...NO_SIZE }), { id: 'dsp-1' });
    await exchange.bidder(bids({ price: 2, adm: vast('3.0', 'InLine'), ...NO_SIZE }), { id: 'dsp-2' });
    const answer = await (await exchange.get('/vast?site_id=pub-1&wrapper=0')).text();
    expect(answer).to.contain('version="3.0"').and.contain('dsp=dsp-2');
  });

  it('does not bind those who send bid requests: protocols are advice to bidders there', async () => {
    await exchange.bidder(bids({ price: 3, adm: vast('4.2', 'InLine'), ...NO_SIZE }));
    const imp = [{ id: '1', video: { mimes: ['video/mp4'], protocols: [2] } }];
    const response = await exchange.post({ id: 'request-1', imp, site: { id: 'pub-1' } });
    expect(response.status).to.equal(200);
  });
});

import { expect } from 'chai';
import { bids, noBid } from '#test/support/bidder';
import { EdgeUnderTest } from '#test/support/edge';

const VAST =
  '<VAST version="3.0"><Ad id="1"><InLine><AdSystem>a</AdSystem><AdTitle>t</AdTitle><Impression>https://dsp.test/seen</Impression><Creatives/></InLine></Ad></VAST>';
const ASSETS = [
  { id: 1, title: { text: 'a title' } },
  { id: 2, img: { url: 'https://a.test/main.png' } },
];
const NATIVE = JSON.stringify({ assets: ASSETS, link: { url: 'https://a.test/' } });

/** Each answer may be opened as a document of the edge's own host. */
describe('markup that a bidder wrote', () => {
  let exchange: EdgeUnderTest;
  before(async () => {
    exchange = await new EdgeUnderTest().start();
  });
  after(() => exchange.close());

  for (const [path, fields] of [
    ['/ad?publisher_id=pub-1&format=banner', {}],
    ['/ad?publisher_id=pub-1&format=video&secure=0', { adm: VAST, mtype: 2 }],
    ['/vast?site_id=pub-1&secure=0', { adm: VAST, mtype: 2 }],
    ['/ad?publisher_id=pub-1&format=native&secure=0', { adm: NATIVE, mtype: 4, w: undefined, h: undefined }],
    ['/vast?site_id=pub-1', null],
    ['/ad?publisher_id=pub-1&format=banner', null],
  ] as const) {
    it(`has no origin and one type at ${path}${fields === null ? ' without fill' : ''}`, async () => {
      const bidder = await exchange.bidder(fields === null ? noBid() : bids({ price: 3, ...fields }));
      const { status, headers } = await exchange.get(path);
      expect(status).to.equal(200);
      const policy = headers.get('content-security-policy');
      expect(policy)
        .to.match(/^sandbox allow-scripts /)
        .and.not.contain('allow-same-origin');
      expect(policy).to.contain('allow-popups-to-escape-sandbox');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      bidder.script = noBid();
    });
  }

  it('is not guessed at in what an error says of it', async () => {
    const { status, headers } = await exchange.get('/ad?publisher_id=<script>&format=banner');
    expect(status).to.be.within(400, 499);
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
  });
});

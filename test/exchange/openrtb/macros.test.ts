// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are OpenRTB macros
import { expect } from 'chai';
import { MAX_FILLED_MARKUP, type MacroValues, substituteMacros } from '#exchange/openrtb/macros';

const values: MacroValues = {
  auctionId: 'req 1',
  bidId: 'resp-1',
  impId: '1',
  seatId: 'seat/7',
  adId: 'ad-9',
  price: '2.5',
  currency: 'USD',
  marketBidRatio: '1',
  loss: '102',
  minToWin: '0.9',
  multiplier: '1',
  impressionMs: '1700000000000',
};

describe('OpenRTB 2.6 §4.4 substitution macros', () => {
  const cases: readonly (readonly [what: string, text: string, expected: string])[] = [
    ['auction id', 'a=${AUCTION_ID}', 'a=req%201'],
    ['bid id', '${AUCTION_BID_ID}', 'resp-1'],
    ['imp id', '${AUCTION_IMP_ID}', '1'],
    ['seat id', '${AUCTION_SEAT_ID}', 'seat%2F7'],
    ['ad id', '${AUCTION_AD_ID}', 'ad-9'],
    ['price', '${AUCTION_PRICE}', '2.5'],
    ['currency', '${AUCTION_CURRENCY}', 'USD'],
    ['market bid ratio', '${AUCTION_MBR}', '1'],
    ['loss', '${AUCTION_LOSS}', '102'],
    ['minimum to win', '${AUCTION_MIN_TO_WIN}', '0.9'],
    ['multiplier', '${AUCTION_MULTIPLIER}', '1'],
    ['impression time', '${AUCTION_IMP_TS}', '1700000000000'],
    ['absent data leaves nothing', 'd=${AUCTION_DISCOUNT_PCT}&c=${AUCTION_DISCOUNT_CPM}.', 'd=&c=.'],
    ['several in one text', '${AUCTION_PRICE}/${AUCTION_PRICE}', '2.5/2.5'],
    ['percent-encoded delimiters', 'u=%24%7BAUCTION_SEAT_ID%7D', 'u=seat%252F7'],
    ['lower-case percent encoding', 'u=%24%7bAUCTION_PRICE%7d', 'u=2.5'],
    ['a bare dollar with encoded braces', '$%7BAUCTION_ID%7D', 'req%201'],
    ['Base64', 'p=${AUCTION_PRICE:B64}', 'p=Mi41'],
    ['Base64 inside an encoded URL', 'p=%24%7BAUCTION_ID%3AB64%7D', `p=${encodeURIComponent('cmVxIDE=')}`],
    ['an unknown coding shows nothing', 'p=${AUCTION_PRICE:AES}.', 'p=.'],
    [
      'an unknown macro stays',
      '${AUCTION_COLOUR} ${OTHER} ${auction_price}',
      '${AUCTION_COLOUR} ${OTHER} ${auction_price}',
    ],
    ['an unclosed macro stays', '${AUCTION_PRICE', '${AUCTION_PRICE'],
    ['inside markup', '<img src="https://d.test/?p=${AUCTION_PRICE}">', '<img src="https://d.test/?p=2.5">'],
    ['a name of Object.prototype is no macro', '${AUCTION_constructor}', '${AUCTION_constructor}'],
  ];
  for (const [what, text, expected] of cases) {
    it(what, () => expect(substituteMacros(text, values)).to.equal(expected));
  }

  it('never reads a replacement pattern in a value', () => {
    expect(substituteMacros('<${AUCTION_PRICE}>', { price: '$& $1 ${AUCTION_ID}' })).to.equal('<$& $1 ${AUCTION_ID}>');
  });

  it('lets no id add a parameter to a URL, end an attribute or begin an element, in whatever it stands', () => {
    const auctionId = 'a&price=0.01#"\'></script><script>\\`${AUCTION_PRICE} ';
    for (const name of ['auctionId', 'bidId', 'impId', 'seatId', 'adId', 'currency'] as const) {
      const macro = {
        auctionId: 'ID',
        bidId: 'BID_ID',
        impId: 'IMP_ID',
        seatId: 'SEAT_ID',
        adId: 'AD_ID',
        currency: 'CURRENCY',
      }[name];
      const url = substituteMacros(`https://d.test/b?x=\${AUCTION_${macro}}&price=2.5`, { [name]: auctionId });
      expect([...new URL(url).searchParams]).to.deep.equal([
        ['x', auctionId],
        ['price', '2.5'],
      ]);
      const around = `https://d.test/?to=${encodeURIComponent(`https://e.test/?x=\${AUCTION_${macro}}&price=2.5`)}`;
      const inner = new URL(substituteMacros(around, { [name]: auctionId })).searchParams.get('to')!;
      expect(new URL(inner).searchParams.get('price')).to.equal('2.5');
      expect(new URL(inner).searchParams.get('x')).to.equal(auctionId);
      const markup = substituteMacros(`<a href="\${AUCTION_${macro}}">\${AUCTION_${macro}}</a>`, { [name]: auctionId });
      expect(markup).to.match(/^<a href="[^"<>&\s]*">[^"<>&\s]*<\/a>$/);
    }
  });

  it('fills a thousand macros of one text and empties the rest', () => {
    const filled = substituteMacros('${AUCTION_ID},'.repeat(20_000), { auctionId: 'x'.repeat(256) });
    expect(filled).to.equal(`${'x'.repeat(256)},`.repeat(1_000) + ','.repeat(19_000));
  });

  it('fills no more macros once the result is too long to be used', () => {
    const adId = 'é'.repeat(256);
    const once = substituteMacros('%24%7BAUCTION_AD_ID%7D', { adId });
    expect(once).to.have.length(10 * 256);
    const text = `https://d.test/?${'%24%7BAUCTION_AD_ID%7D&'.repeat(1_000)}`;
    expect(substituteMacros(text, { adId }, 8_192)).to.equal(
      `https://d.test/?${`${once}&`.repeat(4)}${'&'.repeat(996)}`,
    );
    const markup = substituteMacros(text, { adId });
    expect(markup.length).to.be.within(MAX_FILLED_MARKUP, MAX_FILLED_MARKUP + once.length + 1_000);
  });

  it('fills every macro of a result that is just short enough', () => {
    const text = '${AUCTION_ID}'.repeat(40);
    expect(substituteMacros(text, { auctionId: 'abc' }, 120)).to.equal('abc'.repeat(40));
    expect(substituteMacros(`${text}x\${AUCTION_ID}`, { auctionId: 'abc' }, 120)).to.equal(`${'abc'.repeat(40)}x`);
  });

  it('takes half a surrogate pair', () => {
    expect(substituteMacros('${AUCTION_ID}', { auctionId: 'a\ud800b' })).to.equal('a%EF%BF%BDb');
    expect(substituteMacros('%24%7BAUCTION_PRICE%7D', { price: 'a\ud800b' })).to.equal('a%EF%BF%BDb');
  });

  it('leaves what is known only later', () => {
    const url = 'p=${AUCTION_PRICE}&t=${AUCTION_IMP_TS}&u=%24%7BAUCTION_IMP_TS:B64%7D';
    const waiting = substituteMacros(url, { price: '2.5' }, 8_192, 'impressionMs');
    expect(waiting).to.equal('p=2.5&t=${AUCTION_IMP_TS}&u=%24%7BAUCTION_IMP_TS:B64%7D');
    expect(substituteMacros(waiting, { impressionMs: '17' })).to.equal('p=2.5&t=17&u=MTc%3D');
  });

  it('gives text without macros back as it is', () => {
    const markup = `<div>${'x'.repeat(10_000)} costs $5, 100%24</div>`;
    expect(substituteMacros(markup, values)).to.equal(markup);
  });
});

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are macros of markup
import { expect } from 'chai';
import fc from 'fast-check';
import { creativeTemplate, fillPlaceholders } from '#exchange/creative/creative-template';

const auction = (number: number) => ({
  auctionId: `auction-${'0'.repeat(20)}${number}`,
  impId: `impression-${number}`,
  responseId: `response-${number}`,
  bidId: `bid-000-${number}`,
});

/** Markup as a bidder writes it for one auction: values in place of macros. */
const markupFor = ({ auctionId, impId, responseId, bidId }: ReturnType<typeof auction>, buster: number) =>
  `<a href="https://ads.example/click?auction=${auctionId}&imp=${impId}&rnd=${buster}"><img src="https://ads.example/i.png?cb=${buster}&amp;ord=${buster}"></a>` +
  `<img src="https://ads.example/px?bid=${bidId}&response=${responseId}&price=\${AUCTION_PRICE}">`;

describe('creativeTemplate', () => {
  it('is the same for the same creative in every auction', () => {
    const templates = [1, 2, 30_000].map((number) => {
      const values = auction(number);
      return creativeTemplate(markupFor(values, 1_700_000_000 + number), values);
    });
    expect(new Set(templates).size).to.equal(1);
    expect(templates[0]).to.include('auction=${AUCTION_ID}&imp=${AUCTION_IMP_ID}&rnd=${EXCHANGE_CACHE_BUSTER}"');
    expect(templates[0]).to.include('?cb=${EXCHANGE_CACHE_BUSTER}&amp;ord=${EXCHANGE_CACHE_BUSTER}"');
    expect(templates[0]).to.include('?bid=${EXCHANGE_BID_ID}&response=${AUCTION_BID_ID}&price=${AUCTION_PRICE}"');
  });

  it('differs where anything else does', () => {
    const of = (adm: string) => creativeTemplate(adm, auction(1));
    const markups = [
      '<img src="https://ads.example/creatives/83927492.png">',
      '<img src="https://ads.example/creatives/83927493.png">',
      '<img src="https://ads.example/i.png?creative=83927492">',
      '<img src="https://ads.example/i.png?cb=83927492.exe">',
      '<img src="https://ads.example/i.png?acb=83927492">',
      '<img src="https://ads.example/i.png?cb=12345">',
    ];
    expect(new Set(markups.map(of)).size).to.equal(markups.length);
    expect(markups.map(of)).to.deep.equal(markups);
  });

  it('leaves ids alone that may stand in markup by chance', () => {
    const short = { auctionId: '1', impId: '1', responseId: '2', bidId: 'seven77' };
    const adm = '<b>1 and 2 and seven77</b>';
    expect(creativeTemplate(adm, short)).to.equal(adm);
    const odd = { auctionId: 'an id & more', impId: '', responseId: null, bidId: '$&$&$&$&' };
    expect(creativeTemplate('an id & more $&$&$&$&', odd)).to.equal('an id & more $&$&$&$&');
  });

  it('keeps what a bidder could swap for something else by calling its bid so', () => {
    const swaps: [string, string, (value: string) => string][] = [
      ['cdn1.good.example', 'cdn1.evil.example', (host) => `<script src="https://${host}/ad.js"></script>`],
      ['goodhost1', 'evilhost2', (label) => `<script src="//${label}.example/ad.js"></script>`],
      ['goodhost1', 'evilhost2', (label) => `<script src="https://cdn.${label}.example:8080/ad.js"></script>`],
      ['goodhost1', 'evilhost2', (label) => `<script src="http:/${label}.example/ad.js"></script>`],
      ['goodhost1', 'evilhost2', (label) => `<script src="/\n/${label}.example/ad.js"></script>`],
      ['goodhost1', 'evilhost2', (label) => `<a href="/click?to=https%3A%2F%2F${label}.example">`],
      ['goodhost1', 'evilhost2', (label) => `<script src="https:/\\a@${label}.example/ad.js"></script>`],
      ['data-none', 'onmouseup', (name) => `<a ${name}="top.location='https://shop.example'">`],
    ];
    for (const [approved, swapped, markupOf] of swaps) {
      for (const field of ['bidId', 'responseId'] as const) {
        const templateWith = (value: string) => creativeTemplate(markupOf(value), { ...auction(1), [field]: value });
        expect(templateWith(approved), `${field} ${approved}`).to.equal(markupOf(approved));
        expect(templateWith(approved)).not.to.equal(templateWith(swapped));
      }
    }
  });

  it('is filled for another auction with what that auction’s markup would have had', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (first, second) => {
        const template = creativeTemplate(markupFor(auction(first), 1_700_000_000), auction(first));
        const values = auction(second);
        const filled = fillPlaceholders(template, { bidId: values.bidId, cacheBuster: '1234567890' })
          .replaceAll('${AUCTION_ID}', values.auctionId)
          .replaceAll('${AUCTION_IMP_ID}', values.impId)
          .replaceAll('${AUCTION_BID_ID}', values.responseId);
        expect(filled).to.equal(markupFor(values, 1_234_567_890));
      }),
    );
  });

  it('is filled safely, whatever a bidder calls its bid', () => {
    expect(
      fillPlaceholders('<a href="?b=${EXCHANGE_BID_ID}">', { bidId: '"><script>$&\ud800', cacheBuster: '1' }),
    ).to.equal('<a href="?b=%22%3E%3Cscript%3E%24%26%EF%BF%BD">');
  });
});

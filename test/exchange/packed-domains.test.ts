import { expect } from 'chai';
import fc from 'fast-check';
import type { PublisherProjection } from '../../actors/publisher/fields.ts';
import { packedPublisher } from '../../actors/publisher/publisher.ts';
import { advertiserDomains, includesDomain } from '../../exchange/auction/advertiser-domain.ts';
import { BlockLists } from '../../exchange/auction/block-lists.ts';
import { applyExchangePolicy } from '../../exchange/openrtb/exchange-policy.ts';
import { domainListOf, PackedDomains, packDomains } from '../../exchange/packed-domains.ts';

/** As many domains as a source may block, of 20 characters each. */
const THOUSAND = Array.from({ length: 1000 }, (_, index) => `${String(index).padStart(12, 'd')}.example`);

const label = fc.stringMatching(/^[a-c]{1,3}$/);
const domain = fc.oneof(
  fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.')),
  fc.array(label, { minLength: 2, maxLength: 3 }).map((labels) => `www.${labels.join('.').toUpperCase()}`),
  fc.constantFrom('Bücher.example', 'a.b.', 'ß', '.', 'www.'),
);

describe('exchange/packed-domains', () => {
  it('holds 1,000 blocked domains of a source in 23 KB', () => {
    const view = {
      status: 'active',
      blockedCategories: [],
      blockedDomains: [...THOUSAND],
    } as unknown as PublisherProjection;
    const held = packedPublisher(view).blockedDomains as PackedDomains;
    expect(held).to.be.instanceOf(PackedDomains);
    expect(held.heldBytes).to.equal(1000 * (20 + 1) - 1 + 1000 * 2);
  });

  it('holds nothing of what an archived source blocks', () => {
    const view = {
      status: 'archived',
      blockedCategories: ['IAB1'],
      blockedDomains: THOUSAND,
    } as unknown as PublisherProjection;
    const held = packedPublisher(view);
    expect([domainListOf(held.blockedDomains), held.blockedCategories]).to.deep.equal([[], []]);
  });

  it('is one object for equal lists', () => {
    expect(packDomains([...THOUSAND])).to.equal(packDomains([...THOUSAND]));
    expect(packDomains(THOUSAND.slice(1))).not.to.equal(packDomains(THOUSAND));
  });

  it('finds what a set of the same domains finds, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(domain, { maxLength: 40 }),
        fc.array(domain, { minLength: 1, maxLength: 10 }),
        (list, asked) => {
          const [packed, naive] = [packDomains(list), advertiserDomains(list)];
          expect(packed.size).to.equal(naive.size);
          for (const one of [...asked, ...list]) {
            expect(includesDomain(packed, one), one).to.equal(includesDomain(naive, one));
          }
        },
      ),
    );
  });

  it('is read back as it was stated, also into the same badv, and refuses the same bids', () => {
    fc.assert(
      fc.property(
        fc.array(domain, { maxLength: 80 }),
        fc.array(domain, { maxLength: 5 }),
        domain,
        (list, badv, ofBid) => {
          const packed = packDomains(list);
          expect(JSON.parse(JSON.stringify(packed))).to.deep.equal(list);
          const request = { id: 'r', imp: [], badv };
          const terms = { tmaxMs: 100, blockedCategories: [], contentGenre: null, floorCpmMicros: 0 };
          expect(applyExchangePolicy(request, { ...terms, blockedDomains: packed })).to.deep.equal(
            applyExchangePolicy(request, { ...terms, blockedDomains: list }),
          );
          const refusal = (blockedDomains: readonly string[] | PackedDomains) =>
            new BlockLists(request, { blockedCategories: [], blockedDomains }).refusal(
              { id: 'b', impid: 'i', price: 1, adomain: [ofBid] },
              { id: 'i' },
              'banner',
            );
          expect(refusal(packed)).to.equal(refusal(list));
        },
      ),
    );
  });
});

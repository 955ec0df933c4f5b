import { expect } from 'chai';
import fc from 'fast-check';
import { type FeedImpression, firstFields, packedEvents, packRow, rowsAfter } from '#actors/feed-page/packed-rows';

const START_MS = Date.UTC(2026, 2, 14, 12);

const id = fc.oneof(
  fc.constantFrom('', "'", ',', ';', '%', '%2c', '"quoted" \\ id', '\n\u0000', 'Объявление №5', '\ud800', '1,2;3'),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.uuid(),
);
const idOrNone = fc.option(
  id.filter((text) => text !== ''),
  { nil: null },
);
const shownRows: fc.Arbitrary<FeedImpression[]> = fc
  .array(
    fc.record({
      afterMs: fc.nat(200),
      trackingId: id,
      auctionId: id,
      publisherId: fc.constantFrom('6f1d7a52-3f0c-4c55-9a53-8a2f6c1d7e90', 'p'),
      campaignId: idOrNone,
      crid: idOrNone,
      priceCpmMicros: fc.constantFrom(0, 2_500_000, 10_000_000_000),
      region: fc.constantFrom('fra', "'", 'a,b'),
      soldAgoMs: fc.option(fc.integer({ min: -5_000, max: 3_600_000 }), { nil: null }),
      feePpm: fc.constantFrom(null, 0, 150_000, 1_000_000),
      revalidates: fc.option(fc.constantFrom('data-centre', 'a,b'), { nil: null }),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map((rows) => {
    let atMs = START_MS;
    return rows.map(({ afterMs, soldAgoMs, ...row }, number) => {
      atMs += afterMs;
      const soldAtMs = soldAgoMs === null ? null : atMs - soldAgoMs;
      return { ...row, position: `${atMs}-${afterMs === 0 ? number : 0}`, soldAtMs };
    });
  });

function packed(rows: readonly FeedImpression[]): string {
  let text = '';
  for (const row of rows)
    text += text === '' ? packRow(row, START_MS, null) : `;${packRow(row, START_MS, firstFields(text))}`;
  return text;
}

const unpacked = (text: string) => packedEvents(text, START_MS).map(({ read }) => read());

describe('packed rows of a feed', () => {
  it('come back as they were, whatever ids are made of, and JSON has nothing to escape in them', () => {
    fc.assert(
      fc.property(shownRows, (rows) => {
        const text = packed(rows);
        expect(unpacked(text)).to.deep.equal(rows);
        for (const [index, { atMs, trackingId }] of packedEvents(text, START_MS).entries()) {
          expect(`${atMs}`).to.equal(rows[index]!.position.split('-')[0]);
          expect(trackingId).to.equal(rows[index]!.trackingId);
        }
        // JSON writes half a surrogate pair as an escape.
        if (!/\p{Surrogate}/u.test(text)) expect(JSON.stringify(text)).to.equal(`"${text}"`);
      }),
    );
  });

  it('can be cut where a page has them, and are rows like others then', () => {
    fc.assert(
      fc.property(shownRows, fc.nat(19), (rows, at) => {
        const cut = at % rows.length;
        const rest = rowsAfter(packed(rows), START_MS, rows[cut]!.position);
        expect(rest).to.equal(packed(rows.slice(cut + 1)));
      }),
    );
  });

  it('take at most 700 bytes each, and cut no character in two', () => {
    for (const character of ['c', '"', '\\', '\n', '\u0000', ',', '%', 'ж', '€', '😀', '\ud800']) {
      const long = character.repeat(100_000);
      const uuid = '6f1d7a52-3f0c-4c55-9a53-8a2f6c1d7e90';
      const text = packed([
        {
          ...{ position: `${START_MS + 9_999}-12345`, trackingId: 'A'.repeat(22), auctionId: long, publisherId: uuid },
          ...{ campaignId: uuid, crid: long, priceCpmMicros: 10_000_000_000, region: 'fra', soldAtMs: START_MS },
          ...{ feePpm: 1_000_000, revalidates: 'geography-mismatch-of-letters' },
        },
      ]);
      expect(Buffer.byteLength(JSON.stringify(text)), JSON.stringify(character)).to.be.at.most(700);
      const [{ auctionId, crid }] = unpacked(text) as [FeedImpression];
      expect(auctionId).to.equal(crid);
      expect(auctionId).to.equal(character.repeat(auctionId.length / character.length));
      expect(auctionId).to.have.length.above(40);
    }
  });

  it('say what they have in common once', () => {
    const shown = {
      ...{
        position: `${START_MS + 5_123}-0`,
        trackingId: 'aaaaaaaaaaaaaaaaaaaaaa',
        auctionId: 'a1',
        publisherId: 'pub',
      },
      ...{ campaignId: null, crid: 'c-1', priceCpmMicros: 2_500_000, region: 'fra', soldAtMs: START_MS + 3_283 },
      ...{ feePpm: 150_000, revalidates: null },
    };
    const next = {
      ...{ ...shown, position: `${START_MS + 5_123}-2`, auctionId: 'a2', crid: 'c-2' },
      revalidates: 'data-centre',
    };
    expect(packed([shown, next])).to.equal(
      "5123,aaaaaaaaaaaaaaaaaaaaaa,a1,pub,,c-1,2500000,fra,1840,150000;5123-2,aaaaaaaaaaaaaaaaaaaaaa,a2,',,c-2,','," +
        "1840,',data-centre",
    );
  });

  it('are read as releases up to 0.4 wrote them, without a fee', () => {
    const rows = unpacked("5123,t1,a1,pub,,c-1,2500000,fra,1840;5123-2,t2,a2,',,c-2,',',1840");
    expect(rows.map(({ feePpm, revalidates }) => [feePpm, revalidates])).to.deep.equal([
      [null, null],
      [null, null],
    ]);
    expect(rows[1]).to.deep.include({ publisherId: 'pub', priceCpmMicros: 2_500_000, soldAtMs: START_MS + 3_283 });
    expect(
      unpacked(rowsAfter('1,t1,a1,p,,c,7,fra,;2,t2,a2,p,,c,7,fra,', START_MS, `${START_MS + 1}-0`)),
    ).to.have.lengthOf(1);
  });
});

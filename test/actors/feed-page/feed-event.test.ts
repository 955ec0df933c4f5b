import { expect } from 'chai';
import { decodeEventRow, encodeEventRow, type FeedEvent } from '#actors/feed-page/feed-event';

const event: FeedEvent = {
  atMs: 1_835_352_000_000,
  trackingId: '0197a4c1-7e5a-7c3d-9b1e-2f6a8d4c0e11',
  auctionId: 'auction',
  impId: null,
  publisherId: '6f1d7a52-3f0c-4c55-9a53-8a2f6c1d7e90',
  campaignId: null,
  crid: null,
  priceCpmMicros: 10_000_000_000,
  region: 'fra',
  soldAtMs: 1_835_352_000_000,
};

describe('actors/feed-page/feed-event', () => {
  it('comes back as it was', () => {
    const odd = { ...event, auctionId: 'a "quoted" \\ id', impId: '1', crid: 'Объявление №5', soldAtMs: null };
    expect(decodeEventRow(encodeEventRow(odd))).to.deep.equal(odd);
    const longest = { ...event, crid: 'c'.repeat(256) };
    expect(decodeEventRow(encodeEventRow(longest))).to.deep.equal(longest);
  });

  it('is no longer than 700 bytes, whatever the ids are made of, and cuts no character in two', () => {
    for (const character of ['c', '"', '\\', '\n', '\u0000', 'ж', '€', '😀', '\ud800']) {
      const id = character.repeat(100_000);
      const row = encodeEventRow({ ...event, auctionId: id, crid: id });
      expect(Buffer.byteLength(row), JSON.stringify(character)).to.be.at.most(700);
      const { auctionId, crid } = decodeEventRow(row);
      expect(auctionId).to.equal(crid);
      expect(auctionId)
        .to.equal(character.repeat(auctionId.length / character.length))
        .and.have.length.above(40);
    }
  });
});

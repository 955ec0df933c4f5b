import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import { emptyFeedOutbox } from '../../actors/impression-rollup/feed-outbox.ts';
import { impressionRollup } from '../../actors/impression-rollup/impression-rollup.ts';
import { pool } from '../../actors/pool/pool.ts';
import { publisher } from '../../actors/publisher/publisher.ts';

const named = {
  accountId: 'a1',
  name: 'A source',
  borneName: { nameId: 'a1:x:a_0020source', claim: 'c1' },
  revision: 3,
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
};

const publisherOf040 = {
  ...named,
  partnerId: null,
  domain: 'site.example',
  type: 'web',
  status: 'active',
  sandbox: false,
  poolId: null,
  floorCpmMicros: 1,
  contentGenre: null,
  feePpm: 150_000,
  blockedCategories: [],
  blockedDomains: [],
  sellerType: 'PUBLISHER',
  confidential: false,
  developerDomain: null,
  fillRateAlertThreshold: null,
  sourceKey: null,
  sandboxGeneration: 0,
};

describe('states that release 0.4.0 has saved', () => {
  for (const [kind, version, saved, brought] of [
    [pool, 2, { ...named, description: '', floorCpmMicros: 5 }, { requireVerified: false }],
    [publisher, 3, publisherOf040, { identities: [], requireKey: false }],
    [
      impressionRollup,
      5,
      { pages: [], day: { impressions: 0, grossNanos: 0, feeNanos: 0 }, fed: emptyFeedOutbox() },
      {},
    ],
  ] as const) {
    it(`are read whole, of kind ${kind.kind}`, () => {
      const state = kind.upgrade!(saved, version);
      expect(Compile(kind.state).Errors(state)).to.deep.equal([]);
      expect(state).to.deep.equal({ ...saved, ...brought });
    });
  }

  for (const [kind, saved] of [
    [pool, { ...named, revision: undefined, description: '', floorCpmMicros: 5 }],
    [publisher, { ...publisherOf040, developerDomain: undefined }],
  ] as const) {
    it(`are distinguished from those of earlier releases, of kind ${kind.kind}: these are refused`, () => {
      const state = kind.upgrade!(JSON.parse(JSON.stringify(saved)), 1);
      expect(Compile(kind.state).Errors(state)).to.not.deep.equal([]);
    });
  }
});

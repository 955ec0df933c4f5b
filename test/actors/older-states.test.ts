import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import { dsp } from '../../actors/dsp/dsp.ts';
import { pool } from '../../actors/pool/pool.ts';
import { publisher } from '../../actors/publisher/publisher.ts';

const common = {
  accountId: 'a1',
  partnerId: null,
  name: 'A source',
  borneName: { nameId: 'a1:x:a_0020source', claim: 'c1' },
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
};
const source = { ...common, status: 'active', sandbox: false, feePpm: 150_000 };
const { partnerId: _, ...commonOfPools } = common;

/** States as version 1 of their schema has them. */
const firstVersions = [
  [
    publisher,
    {
      ...source,
      domain: 'site.example',
      type: 'web',
      poolId: null,
      floorCpmMicros: 1,
      contentGenre: null,
      blockedCategories: [],
      blockedDomains: [],
    },
  ],
  [
    dsp,
    {
      ...source,
      mode: 'rtb',
      endpointUrl: 'https://b.example/',
      dailyBudgetCents: 7,
      timeoutMs: 90,
      openrtbVersion: '2.6',
      poolIds: ['l1'],
    },
  ],
  [pool, { ...commonOfPools, description: '', floorCpmMicros: 5 }],
] as const;

describe('states of an older schema version', () => {
  for (const [kind, first] of firstVersions) {
    it(`of kind ${kind.kind} are read whole, and as their first revision`, () => {
      const state = kind.upgrade!(first, 1);
      expect(Compile(kind.state).Errors(state)).to.deep.equal([]);
      expect(state).to.deep.include({ ...first, revision: 1 });
    });
  }
});

import { expect } from 'chai';
import { BSON } from 'mongodb';
import { strategy } from '#actors/strategy/strategy';
import { MAX_STRATEGY_BYTES } from '#exchange/strategy/document/strategy';
import { strategyFaults } from '#exchange/strategy/validate/strategy';
import { Rejection } from '#runtime/actor/rejection';

const dspId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
const DOCUMENT_LIMIT_BYTES = 16 * 1024 * 1024;

/** Short entries of long lists: what BSON, which numbers every entry, makes most of. */
const campaign = (number: number) => ({
  campaign_id: `c${number}`,
  campaign_name: 'C',
  targeting: {
    countries: Array(300).fill('AE'),
    devices: Array(50).fill('1'),
    genres: Array(500).fill('a'),
    hours: Array(24).fill(1),
  },
  categories: Array(50).fill('1'),
  creative: { creative_id: 'v', native: { title: 't' } },
});

describe('actors/strategy, at its largest', () => {
  it('fits into a document of MongoDB three times in four, its messages included', () => {
    const document = { version: '1.0', dsp_id: dspId, default_bid: 1, campaigns: [] as object[], rules: [] };
    const bytesOfOne = JSON.stringify(campaign(999)).length;
    const count = Math.floor((MAX_STRATEGY_BYTES - 200) / (bytesOfOne + 1));
    for (let number = 0; number < count; number++) document.campaigns.push(campaign(number));
    expect(JSON.stringify(document).length).to.be.within(MAX_STRATEGY_BYTES - 3 * bytesOfOne, MAX_STRATEGY_BYTES);
    expect(strategyFaults(document, { dspId, takenCampaignIds: new Set(), httpsOnly: false })).to.deep.equal([]);

    const message = { type: 'save', body: { accountId: 'a1', strategy: document } } as never;
    const context = { id: dspId, address: `strategy/${dspId}`, nowMs: 0, position: '1-0', random: () => 0 };
    const effects = strategy.handle(strategy.initial(dspId), message, context);
    if (!effects || effects instanceof Rejection) throw new Error('it was refused');
    const { state, sends: outbox } = effects;
    expect(outbox).to.have.length(count);
    expect(BSON.calculateObjectSize({ state, outbox })).to.be.lessThan(0.75 * DOCUMENT_LIMIT_BYTES);
  });
});

import { expect } from 'chai';
import { auctionRecord } from '#actors/auction-record/auction-record';
import type { AuctionRecord, RecordedParticipation } from '#actors/auction-record/record';
import { lowestRecordId, newRecordId } from '#actors/auction-record/record-id';
import { auctionRecordIndex, indexedSourceId, participationMark } from '#actors/auction-record/record-index';
import { AuctionRecordState, parseAuctionRecord } from '#actors/auction-record/state';
import { makeAuctionRecord } from '../../support/auction-record.ts';

const NOON_MS = Date.UTC(2026, 2, 14, 12);
const part: RecordedParticipation = {
  dspId: 'dsp-1',
  accountId: 'account-1',
  mode: 'rtb',
  generation: 2,
  called: true,
  outcome: 'answered',
  reason: 'timeout',
  latencyMs: 100,
  bids: [],
  keptBack: [{ impId: '1', campaignActorId: 'c', campaignId: 'c', reason: 'pacing' }],
};

describe('records of auctions', () => {
  it('have an index for all that queries look at: else each of a hundred thousand would be read for it', () => {
    const readWithTheRecord = ['record', 'shown', 'replayable'];
    const paths = Object.keys(AuctionRecordState.properties).filter((path) => !readWithTheRecord.includes(path));
    expect(auctionRecord.indexes).to.have.members(paths);
  });

  it('have ids in the order of their time', () => {
    const lowest = new Uint8Array(16);
    const highest = new Uint8Array(16).fill(255);
    const ids = [
      newRecordId(NOON_MS - 1, highest),
      lowestRecordId(NOON_MS),
      newRecordId(NOON_MS, highest),
      lowestRecordId(NOON_MS + 1),
    ];
    expect(ids).to.deep.equal([...ids].sort());
    expect(newRecordId(NOON_MS, lowest) >= lowestRecordId(NOON_MS)).to.equal(true);
    expect(newRecordId(NOON_MS, highest)).to.match(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(lowestRecordId(-1)).to.equal(lowestRecordId(0));
  });

  it('are found by their publisher, their demand, and every reason in them', () => {
    expect(auctionRecordIndex(makeAuctionRecord({ parts: [part], reason: 'timeout' }))).to.deep.equal({
      auctionId: 'request-1',
      sandbox: false,
      region: 'fra',
      accountId: 'account-1',
      publisherKey: 'pub-1',
      poolId: 'pool-1',
      outcome: 'unfilled',
      reasons: ['timeout', 'pacing'],
      marks: ['dsp-1', 'dsp-1 answered', 'dsp-1 timeout', 'dsp-1 pacing'],
      replayable: false,
    });
  });

  it('are found in the sandbox by the generation that they were held in', () => {
    const { publisherKey, marks } = auctionRecordIndex(makeAuctionRecord({ sandbox: true, parts: [part] }));
    expect(publisherKey).to.equal(indexedSourceId('pub-1', true, 0));
    expect(marks[0]).to.equal(participationMark('dsp-1#2'));
  });

  it('keep what was reported, once', () => {
    const record = makeAuctionRecord();
    const { reasons, marks, ...found } = auctionRecordIndex(record);
    const body = { ...found, reasons: [...reasons], marks: [...marks], record: JSON.stringify(record) };
    const state = auctionRecord.initial('id');
    auctionRecord.handle(state, { type: 'record', body }, { id: 'id' } as never);
    expect(state.key).to.equal('id');
    expect(parseAuctionRecord(state)).to.deep.equal(record);
    expect(auctionRecord.initial('another').key).to.equal('');
  });

  it('are settled when it can change no more what was shown, and from the start where nothing was sold', () => {
    const told = (state: AuctionRecordState, type: string, body: object) =>
      auctionRecord.handle(state, { type, body } as never, { id: 'id' } as never);
    const recorded = (outcome: AuctionRecord['outcome']) => {
      const record = makeAuctionRecord({ outcome });
      const state = auctionRecord.initial('id');
      told(state, 'record', { ...auctionRecordIndex(record), record: JSON.stringify(record) });
      return state;
    };
    expect(recorded('unfilled')).to.deep.include({ settled: true, shown: [] });
    const filled = recorded('filled');
    expect(filled).to.deep.include({ settled: false, shown: [] });
    for (let time = 0; time < 2; time++) told(filled, 'settle', { shown: ['t-1'] });
    expect(filled).to.deep.include({ key: 'id', settled: true, shown: ['t-1'] });
    const gone = auctionRecord.initial('id');
    told(gone, 'settle', { shown: ['t-1'] });
    expect(gone, 'deleted since').to.deep.equal(auctionRecord.initial('id'));
  });
});

import { expect } from 'chai';
import { encodeEnvelope } from '#runtime/node/envelope';
import { Violations } from '#runtime/simulator/auditor/violations';
import { MoneyModel } from './money-model.ts';

const SOLD_AT_MS = Date.UTC(2026, 3, 3);
const POSITION = `${SOLD_AT_MS}-7`;

function impressionAt(position: string, id: string) {
  const sale = { id, auction: id, publisher: 'publisher-a', dsp: 'dsp-x', account: 'account-0' };
  const body = { ...sale, soldAtMs: SOLD_AT_MS, priceCpmMicros: 1_000_001, feePpm: 0, region: 'nyc' };
  return { position, payload: encodeEnvelope({ to: 'tally/0', type: 'impression', body }) };
}

describe('the model of money', () => {
  for (const [how, lose] of [
    ['that home lost', (model: MoneyModel) => model.lost(0, [impressionAt(POSITION, 'first')])],
    ['that was not on disk', (model: MoneyModel) => model.unsynced(0, [impressionAt(POSITION, 'first')])],
  ] as const) {
    it(`takes no entry of home for one of a region when it has the position of one ${how}`, () => {
      const model = new MoneyModel(new Violations(() => 0));
      model.appended(0, [impressionAt(POSITION, 'first')], 'nyc#1');
      expect(model.batchOf(0, POSITION)).to.equal(1);
      lose(model);
      model.appended(0, [impressionAt(POSITION, 'second')]);
      expect(model.batchOf(0, POSITION)).to.equal(undefined);
    });
  }
});

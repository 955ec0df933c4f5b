import { expect } from 'chai';
import {
  closedHourKey,
  dayLedgerId,
  dayOfLedger,
  hourLedgerId,
  hourLedgerIdOf,
  hourOfLedger,
  ledgerAgeKey,
  ledgerId,
  parseLedgerId,
} from '#actors/ledger/ledger-id';

const LAST_MS = Date.parse('2028-02-29T23:59:59.999Z');
const WHOSE = ['p', 'p:sandbox.1', 'a/b%3A', ''];
const ENVIRONMENTS = [[false, 0] as const, [true, 0] as const, [true, 12] as const];

describe('actors/ledger/ledger-id', () => {
  it('says again what an id was made of, whatever the source is called', () => {
    for (const whose of WHOSE) {
      for (const [sandbox, sandboxGeneration] of ENVIRONMENTS) {
        const id = ledgerId('campaign', whose, LAST_MS, sandbox, sandboxGeneration);
        const parts = { scope: 'campaign', whose, day: '2028-02-29', sandbox, sandboxGeneration };
        expect(parseLedgerId(id), id).to.deep.equal({ ...parts, hour: null });
        expect([dayOfLedger(id), hourOfLedger(id), dayLedgerId(id)]).to.deep.equal(['2028-02-29', null, id]);
        expect(ledgerAgeKey(id)).to.equal(`${sandbox ? 'sandbox' : 'live'}/2028-02-29`);
        const hourId = hourLedgerId('campaign', whose, LAST_MS, sandbox, sandboxGeneration);
        expect(parseLedgerId(hourId), hourId).to.deep.equal({ ...parts, hour: 23 });
        expect([dayOfLedger(hourId), hourOfLedger(hourId), dayLedgerId(hourId)]).to.deep.equal(['2028-02-29', 23, id]);
        expect([ledgerAgeKey(hourId), closedHourKey(hourId)]).to.deep.equal([
          'hour/2028-02-29T23',
          'filed-hour/2028-02-29T23',
        ]);
        expect(hourLedgerIdOf(id, 23)).to.equal(hourId);
      }
    }
  });

  it('names hours with two digits, which sort as text', () => {
    const dayMs = Date.parse('2028-02-29T00:00:00Z');
    const ids = Array.from({ length: 24 }, (_, hour) => hourLedgerId('dsp', 'd', dayMs + hour * 3_600_000, false));
    expect(ids[7]).to.equal('dsp:d:2028-02-29T07');
    expect([...ids].sort()).to.deep.equal(ids);
    expect(ids).to.deep.equal(ids.map((_, hour) => hourLedgerIdOf('dsp:d:2028-02-29', hour)));
  });
});

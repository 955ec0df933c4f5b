import { expect } from 'chai';
import { dayOfLedger, ledgerAgeKey, ledgerId, parseLedgerId } from '#actors/ledger/ledger-id';

const LAST_MS = Date.parse('2028-02-29T23:59:59.999Z');

describe('actors/ledger/ledger-id', () => {
  it('says again what an id was made of, whatever the source is called', () => {
    for (const whose of ['p', 'p:sandbox.1', 'a/b%3A', '']) {
      for (const [sandbox, sandboxGeneration] of [[false, 0] as const, [true, 0] as const, [true, 12] as const]) {
        const id = ledgerId('campaign', whose, LAST_MS, sandbox, sandboxGeneration);
        const day = '2028-02-29';
        expect(parseLedgerId(id), id).to.deep.equal({ scope: 'campaign', whose, day, sandbox, sandboxGeneration });
        expect(dayOfLedger(id)).to.equal(day);
        expect(ledgerAgeKey(id)).to.equal(`${sandbox ? 'sandbox' : 'live'}/${day}`);
      }
    }
  });
});

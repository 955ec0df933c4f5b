import { expect } from 'chai';
import fc from 'fast-check';
import { SpendAccount } from '#edge/pace/spend-account';
import { SpendAccounts } from '#edge/pace/spend-accounts';
import { RenderDelay } from '#exchange/pacing/render-delay';

describe('accounts of spend by their numbers', () => {
  const delay = new RenderDelay();
  const accounts = Array.from({ length: 40 }, (_, at) => new SpendAccount(`campaign-${at}`, '', delay, 0));
  const again = Array.from({ length: 40 }, (_, at) => new SpendAccount(`campaign-${at}`, '', delay, 0));

  it('are found as those of a map are, whatever is set and deleted', () => {
    const step = fc.record({ what: fc.constantFrom('set', 'again', 'delete', 'next'), at: fc.nat(39) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const own = new SpendAccounts();
        const model = new Map<number, SpendAccount>();
        for (const { what, at } of steps) {
          const account = (what === 'again' ? again : accounts)[at]!;
          if (what === 'delete') {
            own.delete(account);
            model.delete(account.number);
          } else if (what === 'next') expect(own.next() !== undefined).to.equal(model.size > 0);
          else {
            own.set(account);
            model.set(account.number, account);
          }
          expect(own.size).to.equal(model.size);
          for (const { number } of accounts) expect(own.get(number)).to.equal(model.get(number));
        }
        const walked = new Set(Array.from({ length: own.size }, () => own.next()));
        expect([...walked]).to.have.members([...model.values()]);
      }),
    );
  });

  it('are all looked at in one round, though each is deleted when it is', () => {
    const own = new SpendAccounts();
    for (const account of accounts) own.set(account);
    const walked: SpendAccount[] = [];
    for (let account = own.next(); account !== undefined; account = own.next()) {
      walked.push(account);
      own.delete(account);
    }
    expect(walked).to.have.lengthOf(40);
  });
});

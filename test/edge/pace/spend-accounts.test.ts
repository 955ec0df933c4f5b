import { expect } from 'chai';
import fc from 'fast-check';
import { SpendAccount } from '#edge/pace/spend-account';
import { SpendAccounts } from '#edge/pace/spend-accounts';
import { RenderDelay } from '#exchange/pacing/render-delay';

const DAY_MS = 86_400_000;

describe('accounts of spend by their numbers', () => {
  const delay = new RenderDelay();
  const accounts = Array.from({ length: 40 }, (_, at) => new SpendAccount(`campaign-${at}`, '', delay, 0));
  const again = Array.from({ length: 40 }, (_, at) => new SpendAccount(`campaign-${at}`, '', delay, 0));

  it('are found as those of a map are, whatever is set and deleted', () => {
    const step = fc.record({ what: fc.constantFrom('set', 'again', 'delete', 'next'), at: fc.nat(39) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const own = new SpendAccounts(delay);
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

  it('have all that was told of them when it is taken, wherever they were moved and whatever days it was of', () => {
    const step = fc.record({
      what: fc.constantFrom('told', 'told', 'told', 'take', 'delete', 'set'),
      at: fc.nat(9),
      day: fc.constantFrom(0, 0, 1),
      afterMs: fc.constantFrom(0, 0, 1_000, 5_000_000),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const [own, spent] = [new SpendAccounts(delay), new Map<SpendAccount, number>()];
        let nowMs = 1;
        let price = 1;
        for (const { what, at, day, afterMs } of steps) {
          const account = what === 'set' ? new SpendAccount(`campaign-${at}`, '', delay, nowMs) : null;
          const { number } = accounts[at]!;
          // Between accounts that no edge has heard of.
          const told = () => ({
            day,
            accounts: new Float64Array([1, number, 2]),
            soldNanos: new Float32Array([5, price, 5]),
            billedNanos: new Float32Array([5, price, 5]),
          });
          nowMs = Math.min(nowMs + afterMs, DAY_MS - 1);
          if (account !== null && own.get(number) === undefined) {
            own.set(account);
            spent.set(account, 0);
          } else if (own.get(number) === undefined) own.addTold(told(), nowMs);
          else if (what === 'told') {
            price *= 2;
            own.addTold(told(), nowMs);
            // It is the first day all the time: what was billed on the second does not count.
            if (day === 0) spent.set(own.get(number)!, spent.get(own.get(number)!)! + price);
          } else if (what === 'take') own.takeTold(own.get(number)!, nowMs);
          else if (what === 'delete') {
            spent.delete(own.get(number)!);
            own.delete(own.get(number)!);
          }
        }
        for (const [account, nanos] of spent) {
          own.takeTold(account, nowMs);
          expect(account.spentTodayNanos).to.equal(nanos);
        }
      }),
    );
  });

  it('are all looked at in one round, though each is deleted when it is', () => {
    const own = new SpendAccounts(delay);
    for (const account of accounts) own.set(account);
    const walked: SpendAccount[] = [];
    for (let account = own.next(); account !== undefined; account = own.next()) {
      walked.push(account);
      own.delete(account);
    }
    expect(walked).to.have.lengthOf(40);
  });
});

import { expect } from 'chai';
import { KeptAccounts } from '#edge/budgets/shares/kept-accounts';
import { RenderAccount } from '#edge/budgets/shares/render-account';

const SPAN = { bucketMs: 1_000, spanMs: 4_000, readEveryMs: 0 };
const USUAL = 20_000;

describe('the accounts that an edge keeps', () => {
  /** An account with something that the other edges have not been told. */
  const unsettled = (id: string) => {
    const account = new RenderAccount(id, SPAN);
    account.addSold(1, 0);
    return account;
  };
  const tell = (accounts: KeptAccounts) => {
    for (const account of accounts.values()) for (const { sum } of account.changes(0)) sum.sent(true);
  };
  const add = (accounts: KeptAccounts, prefix: string, number: number) => {
    let kept = 0;
    for (let n = 0; n < number; n++) if (accounts.add(`${prefix}${n}`, unsettled(`${prefix}${n}`))) kept += 1;
    return kept;
  };
  const sizeOf = (accounts: KeptAccounts) => [...accounts.values()].length;

  it('are the ones used last, where the others know their sums', () => {
    const accounts = new KeptAccounts();
    add(accounts, 'a', USUAL);
    tell(accounts);
    for (let n = 0; n < 100; n++) accounts.get(`a${n}`);
    expect(add(accounts, 'b', 1_000)).to.equal(1_000);
    expect(sizeOf(accounts)).to.equal(USUAL);
    const kept = [0, 99, 100, 1_099, 1_100, USUAL - 1].filter((n) => accounts.has(`a${n}`));
    expect(kept).to.deep.equal([0, 99, 1_100, USUAL - 1]);
  });

  it('are all that the others do not know of, up to twice as many, and as many as usual afterwards', () => {
    const accounts = new KeptAccounts();
    expect(add(accounts, 'a', 2 * USUAL + 5_000)).to.equal(2 * USUAL);
    expect([accounts.has('a0'), accounts.has(`a${2 * USUAL}`)]).to.deep.equal([true, false]);
    tell(accounts);
    expect(add(accounts, 'b', 5_000)).to.equal(5_000);
    expect(sizeOf(accounts)).to.equal(USUAL);
    expect(accounts.has('b0')).to.equal(true);
  });
});

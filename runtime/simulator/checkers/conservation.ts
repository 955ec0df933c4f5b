import { creditsOf } from '../workload/account.ts';
import type { Checker } from './checker.ts';

/**
 * Money is neither created nor destroyed: balances add up to the deposits, less credits that the log server lost or
 * that are parked.
 */
export const conservation: Checker = ({ operations, observer, final, violations }) => {
  let balances = 0;
  for (const { kind, id, state } of final.documents) {
    if (kind !== 'account') continue;
    const { balance } = state as { balance: number };
    balances += balance;
    if (balance < 0) violations.add('money is conserved', `account/${id} has ${balance}`);
  }
  let expected = 0;
  for (const { tag, type, amount } of operations.all.values()) {
    if (!final.applied.has(tag)) continue;
    if (type === 'deposit') expected += amount;
    if (type !== 'transfer') continue;
    for (const credit of creditsOf(tag)) {
      const isElsewhere = operations.lost.has(credit) || observer.deadLetters.has(credit);
      if (isElsewhere && !final.applied.has(credit)) expected -= amount;
    }
  }
  if (balances !== expected) {
    violations.add('money is conserved', `balances add up to ${balances}, not to ${expected}`);
  }
};

import type { AccountReply } from '../workload/account.ts';
import { creditsOf } from '../workload/account.ts';
import type { Checker } from './checker.ts';

/** A reply agrees with the saved state: its place in the history, and the balance there. */
export const replies: Checker = ({ operations, final, violations }) => {
  const amounts = new Map<string, number>();
  for (const { tag, type, amount } of operations.all.values()) {
    amounts.set(tag, type === 'transfer' ? -2 * amount : amount);
    if (type === 'transfer') for (const credit of creditsOf(tag)) amounts.set(credit, amount);
  }
  for (const { tag, kind, id, knowledge, reply } of operations.all.values()) {
    if (knowledge !== 'answered' || kind !== 'account') continue;
    const { index, balance } = reply as AccountReply;
    const history = final.histories.get(`${kind}/${id}`) ?? [];
    if (history[index] !== tag) {
      violations.add(
        'replies are of saved states',
        `${tag} was answered as number ${index}; there is ${history[index]}`,
      );
      continue;
    }
    let sum = 0;
    for (const earlier of history.slice(0, index + 1)) sum += amounts.get(earlier) ?? 0;
    if (sum !== balance) {
      violations.add(
        'replies are of saved states',
        `${tag} was answered with ${balance}, where the balance was ${sum}`,
      );
    }
  }
};

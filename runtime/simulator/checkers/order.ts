import type { Checker } from './checker.ts';

/** What one sender told one actor was handled in the order it was sent, and so were the messages of outboxes. */
export const senderOrder: Checker = ({ operations, final, violations }) => {
  for (const [address, history] of final.histories) {
    const last = new Map<string, number>();
    for (const tag of history) {
      const operation = operations.all.get(tag);
      if (operation?.sender) {
        const before = last.get(operation.sender) ?? 0;
        if (operation.number < before) {
          violations.add('order', `${address} had ${tag} after number ${before} of ${operation.sender}`);
        }
        last.set(operation.sender, operation.number);
      }
    }
    const lastCredit = new Map<string, number>();
    for (const tag of history) {
      const [, from, part] = /^account\/([^!]+)!transfer-\d+\/credit-(\d)$/.exec(tag) ?? [];
      if (from === undefined || part === undefined) continue;
      const cause = tag.slice(0, tag.lastIndexOf('/'));
      const place = (final.histories.get(`account/${from}`) ?? []).indexOf(cause) * 2 + Number(part);
      if (place < (lastCredit.get(from) ?? 0)) violations.add('order', `${address} had ${tag} too late`);
      lastCredit.set(from, place);
    }
  }
};

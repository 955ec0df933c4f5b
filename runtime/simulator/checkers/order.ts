import type { Checker } from './checker.ts';

/**
 * The messages of one sender to one actor were handled in the order in which they were sent, and so were the messages
 * of outboxes. Parked messages that were replayed have no order.
 */
export const senderOrder: Checker = ({ operations, observer, final, violations }) => {
  const { quarantined } = observer;
  const toArchives = new Set([...quarantined.values()].flat().map(({ to }) => to.replace(/^archive\//, 'session/')));
  for (const [address, history] of final.histories) {
    // The history of a session in its archive comes before that in the session.
    if (address.startsWith('session/') && toArchives.has(address)) continue;
    const last = new Map<string, number>();
    for (const tag of history) {
      const operation = operations.all.get(tag);
      if (operation?.sender && !quarantined.has(tag)) {
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
      if (quarantined.has(tag) || quarantined.has(cause)) continue;
      const place = (final.histories.get(`account/${from}`) ?? []).indexOf(cause) * 2 + Number(part);
      if (place < (lastCredit.get(from) ?? 0)) violations.add('order', `${address} had ${tag} too late`);
      lastCredit.set(from, place);
    }
  }
};

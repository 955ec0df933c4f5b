import type { SecurityRows } from '../attack.ts';

const CALLS = 'edge/impressions/invalid-impression.test.ts';
const ADJUSTMENTS = 'gateways/management/adjustments.test.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'keyless caller',
      attack: 'burns an impression by calling its pixel as a bot before the viewer does',
      outcome: 'it is counted as invalid once, and the first valid call in its window bills it',
      file: CALLS,
      title:
        'answers an invalid call as a valid one, bills nothing for it, and bills the first valid call that follows',
    },
    {
      by: 'keyless caller',
      attack: 'calls as a bot again and again, for several reasons, to inflate the counts of invalid traffic',
      outcome: 'one id counts once, for its first reason',
      file: CALLS,
      title: 'counts an id invalid once, for the first reason, and not once it is billed',
    },
    {
      by: 'publisher',
      attack: 'has invalid calls taken in while the log is away, to be billed from the spool',
      outcome: 'the verdict of the moment of the call is replayed with it',
      file: CALLS,
      title:
        'carries the verdict of the moment of the call through the spool, over a restart, and does not judge again',
    },
    {
      by: 'operator',
      attack: 'takes back more than was traded, by adjustments at the same moment',
      outcome: 'the trade’s actor books one after the other, and refuses what is too much with 409',
      file: ADJUSTMENTS,
      title: 'never take back more than was traded, also when they come at once',
    },
    {
      by: 'operator',
      attack: 'changes a month that is closed by an adjustment',
      outcome: 'it is on the statement of the open month; a frozen one never changes',
      file: ADJUSTMENTS,
      title: 'are booked once, in the open month, and change no statement that is frozen',
    },
    {
      by: 'operator',
      attack: 'alters or deletes an adjustment, or a count of invalid traffic, in the store',
      outcome: 'the audit names it',
      file: 'scheduler/audit/invalid-traffic.test.ts',
      title: 'notices one that was deleted after it was frozen',
    },
  ],
};

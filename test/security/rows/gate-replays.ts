import type { SecurityRows } from '../attack.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'publisher',
      attack: 'sends one bid request many times at once, for as many sales and reservations',
      outcome: 'all join the auction that is under way: one sale, one reservation, the same bids; 403 later',
      file: 'edge/auction/repeated-requests.test.ts',
      title: 'while it is under way joins it: one sale, the same bids for both, and a replay later',
    },
    {
      by: 'keyless caller',
      attack: "guesses the id of a keyed caller's request that is under way, to have its answer",
      outcome: '403: who joins shows the same key',
      file: 'edge/auction/repeated-requests.test.ts',
      title: 'is a replay when it shows another key than the one under way',
    },
    {
      by: 'keyless caller',
      attack:
        'comes to a page with fixed ids while the request of another viewer is under way, and has what was chosen for them',
      outcome: '403: who joins sent the same body, the same cookies and the same Global Privacy Control',
      file: 'edge/auction/repeated-requests.test.ts',
      title: 'is a replay when it is of another viewer than the one under way',
    },
  ],
};

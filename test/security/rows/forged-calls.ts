import type { SecurityRows } from '../attack.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'keyless caller',
      attack: 'calls pixels that it forged, altered or kept for too long',
      outcome: 'the same GIF, nothing billed, each counted by its reason',
      file: 'gateways/edge/tracking/impression.test.ts',
      title: 'answers the same GIF to what is forged, altered or expired, bills nothing and counts it',
    },
    {
      by: "viewer's page",
      attack: 'reports timeouts that never were, for whichever publisher, thousands in one call',
      outcome: 'a count that nothing follows from and that says of itself that it is not verified; 400 above 100 imps',
      file: 'gateways/edge/tracking/caller-timeout.test.ts',
      title: 'counts nothing of what is malformed or names no publisher',
    },
  ],
};

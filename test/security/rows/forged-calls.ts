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
  ],
};

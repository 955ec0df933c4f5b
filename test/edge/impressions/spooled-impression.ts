import type { SpooledImpression } from '#edge/impressions/spool-record';

export function spooledImpression(id: string): SpooledImpression {
  const issuedAtMs = Date.UTC(2026, 0, 2, 3, 30);
  return {
    partition: 3,
    entry: {
      id,
      bucketMs: Date.UTC(2026, 0, 2, 3),
      expiresAtMs: issuedAtMs + 3_600_000,
      payload: `["tally/3","impression",{"id":"${id}","note":"line\\nbreak"}]`,
    },
    judgedAtMs: issuedAtMs + 1,
    publisherId: 'publisher-1',
    sandbox: false,
    noticeUrl: null,
  };
}

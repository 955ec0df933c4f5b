import { expect } from 'chai';
import { LEDGER_WATERMARK_ID } from '#actors/watermark/watermark';
import { type FileLedgerHoursDeps, fileLedgerHours } from '#scheduler/jobs/file-ledger-hours';

const THROUGH_MS = Date.parse('2031-03-10T15:10:00Z');
const LEDGERS = 11_000;

/** A store in which so many ledgers of hours are open, and the books are complete. */
const reads = {
  load: async (keys: readonly { readonly id: string }[]) =>
    keys.map(({ id }) => (id === LEDGER_WATERMARK_ID ? { state: { throughMs: THROUGH_MS } } : null)),
  find: async (_: string, { where }: { readonly where: { readonly filedUnder: { readonly gte: string } } }) =>
    where.filedUnder.gte === 'hour/'
      ? Array.from({ length: LEDGERS }, (_one, index) => ({ id: `publisher:p${index}:2031-03-10T14`, version: 1 }))
      : [],
  purge: async () => 0,
  deadLetters: async () => [],
};
const store = { ...reads, after: () => reads } as unknown as FileLedgerHoursDeps['store'];

describe('the job file-ledger-hours with very many ledgers', () => {
  it('closes the next of them when 5,000 are closed and filed', async () => {
    const closed = new Set<string>();
    const atBarriers: number[] = [];
    const job = fileLedgerHours({
      store,
      figures: { hoursFiled: () => {} },
      messenger: {
        tell: async (_kind, id) => {
          closed.add(id);
        },
        ask: async () => ({ throughMs: THROUGH_MS }) as never,
      },
      passBarrier: async () => {
        atBarriers.push(closed.size);
        return { token: '' };
      },
    });
    const { signal } = new AbortController();
    const outcome = await job.run({ dueMs: THROUGH_MS, nowMs: THROUGH_MS, signal });
    expect(outcome).to.equal('before 2031-03-10T15: 11000 hours filed, 0 deleted');
    // The last is the one before the watermark of filed hours is raised.
    expect(atBarriers).to.deep.equal([5_000, 10_000, LEDGERS]);
  });
});

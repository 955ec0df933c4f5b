import { expect } from 'chai';
import type { DeadLetter } from '#runtime/ports/store';
import { AWKWARD } from './awkward-json.ts';
import { letter } from './documents.ts';
import type { DeclareTest } from './fixture.ts';

export function deadLetterCases(it: DeclareTest): void {
  it('parks twice what is one dead letter, and leaves the first as it is', async ({ store }) => {
    const first = letter('1:1795250000000-1', { payload: JSON.stringify(AWKWARD.keysWithDots) });
    await store.park([first]);
    await store.park([{ ...first, reason: 'another' }, letter('1:1795250000000-2')]);
    await store.park([]);
    expect(await store.deadLetter(first.id)).to.deep.equal(first);
    expect(await store.deadLetter('1:1795250000000-2')).to.deep.equal(letter('1:1795250000000-2'));
    expect(await store.deadLetter('1:none-0')).to.equal(null);
  });

  it('lists by id, page by page', async ({ store }) => {
    const letters = Array.from({ length: 25 }, (_, index) =>
      letter(`2:17952500000${String(index).padStart(2, '0')}-0`),
    );
    await store.park([...letters].reverse());
    const seen: DeadLetter[] = [];
    let after = '2:';
    for (;;) {
      const page = await store.deadLetters({ limit: 7, after });
      const own = page.filter((one) => one.partition === 2);
      seen.push(...own);
      if (own.length < 7) break;
      after = own.at(-1)!.id;
    }
    expect(seen).to.deep.equal(letters);
    expect(await store.deadLetters({ limit: 1 })).to.have.lengthOf(1);
  });

  it('marks what was replayed, and parking it again leaves the mark', async ({ store }) => {
    const parked = letter('3:1795250000000-7');
    await store.park([parked]);
    await store.markReplayed(parked.id, 1_795_250_111_000);
    await store.markReplayed('3:none-0', 1);
    await store.park([parked]);
    expect(await store.deadLetter(parked.id)).to.deep.equal({ ...parked, replayedAtMs: 1_795_250_111_000 });
    expect(await store.deadLetter('3:none-0')).to.equal(null);
  });

  it('marks what was discarded, with its author and reason: the first mark stands', async ({ store }) => {
    const parked = letter('4:1795250000000-7');
    await store.park([parked]);
    const discarded = { atMs: 1_795_250_111_000, by: 'u1', why: 'sent by a test' };
    await store.markDiscarded(parked.id, discarded);
    await store.markDiscarded(parked.id, { ...discarded, by: 'u2' });
    await store.markDiscarded('4:none-0', discarded);
    await store.park([parked]);
    expect(await store.deadLetter(parked.id)).to.deep.equal({ ...parked, discarded });
    expect(await store.deadLetters({ limit: 1, after: '4:' })).to.deep.equal([{ ...parked, discarded }]);
    expect(await store.deadLetter('4:none-0')).to.equal(null);
  });
}

import { expect } from 'chai';
import { document, freshlyPrepared } from './documents.ts';
import type { DeclareTest } from './fixture.ts';

export function pageCases(it: DeclareTest): void {
  it('walks through what matches in pages, each document once, whatever comes and goes', async ({ store }) => {
    const kind = await freshlyPrepared(store, 'due');
    const ids = Array.from({ length: 30 }, (_, index) => `b${String(index).padStart(2, '0')}`);
    await store.save([
      ...ids.map((id, index) => document(kind, id, { state: { due: index % 3 === 0 ? 99 : index } })),
      document(kind, 'b05a', { state: null, deleted: true }),
    ]);
    const due = ids.filter((_, index) => index % 3 !== 0);
    const seen: string[] = [];
    for (let after = ''; ; after = seen.at(-1)!) {
      const page = await store.page(kind, { where: { due: { lt: 50 } }, after, limit: 7 });
      seen.push(...page.map(({ id }) => id));
      if (page.length < 7) break;
      // What was seen goes, and an unseen one comes before it: neither moves what is still to be seen.
      await store.save([
        document(kind, page[0]!.id, { version: 2, state: { due: 99 } }),
        document(kind, `a-${seen.length}`, { state: { due: 1 } }),
      ]);
    }
    expect(seen).to.deep.equal(due);
  });

  it('pages through all, and answers nothing behind the last', async ({ store }) => {
    const kind = await freshlyPrepared(store);
    await store.save(['a', 'b', 'c'].map((id) => document(kind, id)));
    const page = async (after: string, limit: number) => (await store.page(kind, { after, limit })).map(({ id }) => id);
    expect(await page('', 2)).to.deep.equal(['a', 'b']);
    expect(await page('b', 2)).to.deep.equal(['c']);
    expect(await page('c', 2)).to.deep.equal([]);
    expect(await page('', 0)).to.deep.equal([]);
    expect(await store.page(`${kind}-none`, { after: '', limit: 2 })).to.deep.equal([]);
  });

  it('answers pages and loads of large documents', async ({ store }) => {
    const kind = await freshlyPrepared(store);
    const text = 'x'.repeat(1_048_576);
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    for (const id of ids) await store.save([document(kind, id, { state: { text } })]);
    expect((await store.page(kind, { after: '', limit: 7 })).map(({ id }) => id)).to.deep.equal(ids);
    const loaded = await store.load(ids.map((id) => ({ kind, id })));
    expect(loaded.map((one) => one?.state)).to.deep.equal(ids.map(() => ({ text })));
  });
}

import { expect } from 'chai';
import { collect, document, freshlyPrepared, saveOne } from './documents.ts';
import type { DeclareTest } from './fixture.ts';

export function scanCases(it: DeclareTest): void {
  it('scans every document while others are written', async ({ store }) => {
    const kind = await freshlyPrepared(store);
    const ids = Array.from({ length: 600 }, (_, index) => `s${index}`);
    await store.save(ids.map((id) => document(kind, id)));
    const seen = new Map<string, number>();
    let writing: Promise<unknown> = Promise.resolve();
    let count = 0;
    for await (const one of store.scan(kind)) {
      expect(seen.has(one.id), `${one.id} came twice`).to.equal(false);
      seen.set(one.id, one.version);
      if (count % 30 === 0) {
        const before = ids.slice(count, count + 5).map((id) => document(kind, id, { version: 2 }));
        writing = Promise.all([writing, store.save([...before, document(kind, `later-${count}`)])]);
      }
      count += 1;
    }
    await writing;
    for (const id of ids) expect(seen.get(id), id).to.be.oneOf([1, 2]);
  });

  it('finds the versions of all documents, of tombstones too, while others are written', async ({ store, other }) => {
    const kind = await freshlyPrepared(store, 'day');
    const awkward = ['"ö\\\n日本', '#sha256:x', 'n'.repeat(600), 'a/b', '0'];
    const ids = [...awkward, ...Array.from({ length: 2_500 }, (_, index) => `v${index}`)];
    for (let start = 0; start < ids.length; start += 500) {
      await store.save(ids.slice(start, start + 500).map((id) => document(kind, id, { state: { day: 1 } })));
    }
    await other.save([
      document(kind, ids[0]!, { version: 2, state: { day: 2 } }),
      document(kind, 'v7', { version: 2, state: null, deleted: true }),
      document(kind, 'v8', { version: 2, state: { text: 'x'.repeat(20_000) } }),
    ]);
    await saveOne(store, document(kind, 'v8', { version: 3 }));
    await store.save([document(`${kind}0`, 'another kind'), document(`${kind}-`, 'another kind')]);
    const seen = new Map<string, number>();
    let writing: Promise<unknown> = Promise.resolve();
    for await (const part of store.versions(kind)) {
      expect(part.length).to.be.within(0, 5_000);
      for (const { id, version } of part) {
        expect(seen.has(id), `${id} came twice`).to.equal(false);
        seen.set(id, version);
      }
      writing = Promise.all([writing, store.save([document(kind, `later-${seen.size}`)])]);
    }
    await writing;
    const versions = new Map([
      [ids[0], 2],
      ['v7', 2],
      ['v8', 3],
    ]);
    for (const id of ids) expect(seen.get(id), id).to.equal(versions.get(id) ?? 1);
    for (const id of seen.keys()) if (!id.startsWith('later-')) expect(ids).to.include(id);
  });

  it('finds no versions where there is no document, and those that purged documents had no more', async ({ store }) => {
    const kind = await freshlyPrepared(store);
    expect((await collect(store.versions(kind))).flat()).to.deep.equal([]);
    await store.save([document(kind, 'a'), document(kind, 'b')]);
    await store.purge(kind, [{ id: 'a', version: 1 }]);
    expect((await collect(store.versions(kind))).flat()).to.deep.equal([{ id: 'b', version: 1 }]);
  });

  it('sees in the versions what is acknowledged before a token', async ({ store, other }) => {
    const kind = await freshlyPrepared(store);
    await saveOne(other, document(kind, 'a'));
    const reads = store.after(await store.latestToken(), 'snapshot');
    expect((await collect(reads.versions(kind))).flat()).to.deep.equal([{ id: 'a', version: 1 }]);
  });

  it('ends a scan that is left early', async ({ store }) => {
    const kind = await freshlyPrepared(store);
    await store.save(Array.from({ length: 300 }, (_, index) => document(kind, `s${index}`)));
    for (let round = 0; round < 12; round += 1) {
      for await (const one of store.scan(kind)) {
        expect(one.kind).to.equal(kind);
        break;
      }
    }
    expect((await store.query(kind, { limit: 1 })).total).to.equal(300);
  });
}

import { expect } from 'chai';
import { document, freshlyPrepared } from './documents.ts';
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

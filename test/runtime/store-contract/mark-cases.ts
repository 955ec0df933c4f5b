import { expect } from 'chai';
import { document, freshlyPrepared, loadOne } from './documents.ts';
import type { DeclareTest } from './fixture.ts';

export function markCases(it: DeclareTest): void {
  it('raises the high water of a partition and never lowers it', async ({ store, other }) => {
    expect(await store.highWater({ partition: 7 })).to.equal('0-0');
    await store.raiseHighWater({ partition: 7, position: '1795250000000-9' });
    await store.raiseHighWater({ partition: 7, position: '1795250000000-10' });
    await store.raiseHighWater({ partition: 7, position: '1795250000000-2' });
    await store.raiseHighWater({ partition: 7, position: '999-99' });
    expect(await store.highWater({ partition: 7 })).to.equal('1795250000000-10');
    expect(await store.highWater({ partition: 8 })).to.equal('0-0');
    await store.raiseHighWater({ partition: 7, position: '1795250000001-0' });
    expect(await other.highWater({ partition: 7 })).to.equal('1795250000001-0');
  });

  it('keeps the high water of two logs apart', async ({ store, other }) => {
    const kind = await freshlyPrepared(store, 'name');
    await store.raiseHighWater({ partition: 23, position: '1795250000000-9' });
    expect(await other.highWater({ partition: 23, log: 'facts' })).to.equal('0-0');
    await other.raiseHighWater({ partition: 23, log: 'facts', position: '1795250000000-5' });
    await store.save([document(kind, 'a')], { partition: 23, log: 'facts', position: '1795250000000-12' });
    expect(await other.highWater({ partition: 23, log: 'facts' })).to.equal('1795250000000-12');
    expect(await other.highWater({ partition: 23 })).to.equal('1795250000000-9');
    expect(await other.highWater({ partition: 24, log: 'facts' })).to.equal('0-0');
  });

  it('raises the high water with a save, whatever becomes of the documents, and never lowers it', async ({
    store,
    other,
  }) => {
    const kind = await freshlyPrepared(store, 'name');
    const first = document(kind, 'a');
    expect(await store.save([first], { partition: 21, position: '1795250000000-9' })).to.deep.equal(['saved']);
    expect(await other.highWater({ partition: 21 })).to.equal('1795250000000-9');
    const late = document(kind, 'a', { writer: 'late' });
    expect(await store.save([late], { partition: 21, position: '1795250000000-11' })).to.deep.equal(['conflict']);
    expect(await other.highWater({ partition: 21 })).to.equal('1795250000000-11');
    const second = document(kind, 'a', { version: 2 });
    expect(await store.save([second], { partition: 21, position: '1795250000000-10' })).to.deep.equal(['saved']);
    expect(await other.highWater({ partition: 21 })).to.equal('1795250000000-11');
    expect(await loadOne(other, kind, 'a')).to.deep.equal(second);
  });

  it('saves what a document was when it was handed in, though the mark is raised first', async ({ store }) => {
    const kind = await freshlyPrepared(store, 'name');
    const state = { name: 'as handed in' };
    const saving = store.save([document(kind, 'a', { state })], { partition: 22, position: '1795250000000-1' });
    state.name = 'changed since';
    expect(await saving).to.deep.equal(['saved']);
    expect((await loadOne(store, kind, 'a'))?.state).to.deep.equal({ name: 'as handed in' });
  });

  it('keeps the highest of those raised at the same time', async ({ store, other }) => {
    const writers = [store, other];
    const sequences = [3, 17, 2, 29, 5, 11, 23, 7];
    await Promise.all(
      sequences.map((sequence, index) =>
        writers[index % 2]!.raiseHighWater({ partition: 9, position: `1795250000000-${sequence}` }),
      ),
    );
    expect(await store.highWater({ partition: 9 })).to.equal('1795250000000-29');
  });

  it('puts a value once, over concurrent callers', async ({ store, other }) => {
    const writers = [store, other];
    for (let round = 0; round < 10; round += 1) {
      const name = `secret.$${round}`;
      const values = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${letter}-${round}`);
      const kept = await Promise.all(values.map((value, index) => writers[index % 2]!.putIfAbsent(name, value)));
      expect(new Set(kept).size, `round ${round}: ${kept}`).to.equal(1);
      expect(values).to.include(kept[0]);
      expect(await store.putIfAbsent(name, 'late')).to.equal(kept[0]);
    }
  });

  it('reads what was put, and puts nothing under a name with a withdrawn value', async ({ store, other }) => {
    expect(await store.getValue('withdrawn')).to.equal(null);
    await store.putIfAbsent('withdrawn', 'value');
    expect(await other.getValue('withdrawn')).to.equal('value');
    await other.withdraw('withdrawn');
    expect(await store.getValue('withdrawn')).to.equal(null);
    const settling = await store.putIfAbsent('withdrawn', 'another').catch((error: Error) => error.name);
    expect(settling).to.equal('Withdrawn');
    await store.withdraw('withdrawn before it had a value');
    const late = await other.putIfAbsent('withdrawn before it had a value', 'late').catch((error: Error) => error.name);
    expect(late).to.equal('Withdrawn');
  });

  it('is healthy', async ({ store }) => {
    expect(await store.healthy()).to.equal(true);
  });
}

import { expect } from 'chai';
import type { Cell } from '#runtime/providers/embedded/facet';
import { FacetTable } from '#runtime/providers/embedded/facet-table';

const paths = ['key'];

/** A facet that counts how often its values are looked at. */
function counted(id: string, cell: Cell, looks: { count: number }) {
  return {
    id,
    paths,
    get cells() {
      looks.count += 1;
      return [cell];
    },
  };
}

describe('a table of facets', () => {
  it('looks for a range of what it orders by, and not through all there is', () => {
    const looks = { count: 0 };
    const table = new FacetTable(paths);
    for (let at = 0; at < 10_000; at++) {
      const key = String(at).padStart(5, '0');
      table.fill(key, counted(key, key, looks));
    }
    table.filled();
    const range = { where: { key: { gte: '07000', lt: '07003' } }, orderBy: 'key' };
    expect(table.find(range)).to.deep.equal(['07000', '07001', '07002']);
    looks.count = 0;
    expect(table.find(range)).to.deep.equal(['07000', '07001', '07002']);
    expect(table.find({ ...range, descending: true })).to.deep.equal(['07002', '07001', '07000']);
    // Binary searches, and what lies in the range.
    expect(looks.count).to.be.below(150);
    expect(table.find({ where: { key: { gte: '09999' } }, orderBy: 'key' })).to.deep.equal(['09999']);
    expect(table.find({ where: { key: { gte: '3', lt: '2' } }, orderBy: 'key' })).to.deep.equal([]);
  });

  it('looks no further than the first that are wanted', () => {
    const looks = { count: 0 };
    const table = new FacetTable(paths);
    for (let at = 0; at < 10_000; at++) {
      const key = String(at).padStart(5, '0');
      table.fill(key, counted(key, key, looks));
    }
    table.filled();
    const all = { where: { key: { gte: '0' } }, orderBy: 'key' };
    expect(table.find({ ...all, descending: true }, 2)).to.deep.equal(['09999', '09998']);
    looks.count = 0;
    expect(table.find({ ...all, descending: true }, 2)).to.deep.equal(['09999', '09998']);
    expect(table.find(all, 3)).to.deep.equal(['00000', '00001', '00002']);
    expect(looks.count).to.be.below(100);
    expect(table.find(all, 0)).to.deep.equal([]);
  });

  it('finds by any of several values, wherever the first of them stands', () => {
    const looks = { count: 0 };
    const table = new FacetTable(paths);
    table.fill('one', counted('one', 'b', looks));
    table.filled();
    const find = () => table.find({ where: { key: { gte: 'b', lt: 'c' } }, orderBy: 'key' });
    expect(find()).to.deep.equal(['one']);
    table.set('two', counted('two', ['a', 'b'], looks));
    table.set('three', counted('three', 'a', looks));
    expect(find()).to.deep.equal(['two', 'one']);
    table.set('three', counted('three', ['a', 'bb'], looks));
    table.set('two', counted('two', 'a', looks));
    expect(find()).to.deep.equal(['three', 'one']);
    table.set('three', null);
    expect(find()).to.deep.equal(['one']);
  });
});

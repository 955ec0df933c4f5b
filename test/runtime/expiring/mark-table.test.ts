import { expect } from 'chai';
import { MarkTable } from '#runtime/expiring/mark-table';

describe('runtime/expiring/mark-table', () => {
  it('is swept slice by slice, so that millions of marks delay nothing else', () => {
    const table = new MarkTable();
    const groups = 35_000;
    for (let n = 0; n < groups; n++) {
      const at = { group: `device-${n}`, key: 'campaign' };
      table.put(at, 'ends', 1_000);
      if (n % 2 === 0) table.put(at, 'stays', 2_000);
    }
    let [slices, ended, longest] = [0, 0, 0];
    for (const slice of table.sweep(1_000)) {
      slices += 1;
      ended += slice.length;
      longest = Math.max(longest, slice.length);
      // Between two slices the table serves: what is set anew meanwhile stays.
      table.put({ group: `device-${slices}`, key: 'campaign' }, 'anew', 3_000);
    }
    expect([slices, ended]).to.deep.equal([4, groups]);
    expect(longest).to.be.at.most(10_000);
    expect(table.count({ group: 'device-1', key: 'campaign' }, 0), 'anew').to.equal(1);
    expect(table.count({ group: 'device-2', key: 'campaign' }, 0), 'stays and anew').to.equal(2);
    expect(table.count({ group: 'device-9', key: 'campaign' }, 0), 'nothing').to.equal(0);
    expect([...table.sweep(1_000)].flat()).to.deep.equal([]);
  });
});

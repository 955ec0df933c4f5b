import { expect } from 'chai';
import type { RowResult } from '../support/results.ts';
import { type Row, rowsShownIn, rowsShownOnRealServersIn } from './row.ts';
import { rowsInRun } from './rows-in-run.ts';

const ROWS: readonly Row[] = [
  ...rowsShownIn('a.test.ts', { 'a.one': 'One.', 'a.two': 'Two.' }),
  ...rowsShownOnRealServersIn('b.test.ts', { 'b.one': 'On servers.' }),
  { id: 'c.open', clause: 'Later.', proof: { notYet: 'dashboard' } },
];
const result = (id: string, state: RowResult['state'], file = `${id[0]}.test.ts`): RowResult => ({ id, file, state });
const all = [result('a.one', 'passed'), result('a.two', 'passed'), result('b.one', 'passed')];
const EVERYTHING = { whole: true, servers: true };

describe('rows of the specification, after a run', () => {
  it('are shown by tests that passed', () => {
    const { counts, faults } = rowsInRun(ROWS, all, EVERYTHING);
    expect(faults).to.deep.equal([]);
    expect(counts).to.deep.equal([
      ['shown by tests that passed', 3],
      ['open', 1],
    ]);
  });

  it('are not shown by a test that only was declared, or that passed in another file', () => {
    const { faults } = rowsInRun(ROWS, [all[0]!, result('a.two', 'passed', 'z.test.ts'), all[2]!], EVERYTHING);
    expect(faults).to.deep.equal(['a.two: lost its test: none of it ran in the file that the table names']);
  });

  it('fail where one of their tests failed, whichever passed, in part of a run too', () => {
    const { faults } = rowsInRun(ROWS, [...all, result('a.one', 'failed')], { whole: false, servers: true });
    expect(faults).to.deep.equal(['a.one: a test of it failed']);
  });

  it('that need real servers are distinguished where there are none', () => {
    const { counts, faults } = rowsInRun(ROWS, [all[0]!, all[1]!, result('b.one', 'left out')], {
      whole: true,
      servers: false,
    });
    expect(faults).to.deep.equal([]);
    expect(counts).to.deep.include(['need real servers', 1]);
  });

  it('that need real servers and do not say so are faults', () => {
    const { faults } = rowsInRun(ROWS, [all[0]!, result('a.two', 'left out'), all[2]!], {
      whole: false,
      servers: false,
    });
    expect(faults).to.deep.equal(['a.two: was left out without servers, and is not said to need them']);
  });

  it('may not be left out where there are servers, nor have a test while they are said to be open', () => {
    const { faults } = rowsInRun(
      ROWS,
      [...all.slice(0, 2), result('b.one', 'left out'), result('c.open', 'passed')],
      EVERYTHING,
    );
    expect(faults).to.deep.equal(['b.one: its tests were left out', 'c.open: is said to be open and has a test']);
  });
});

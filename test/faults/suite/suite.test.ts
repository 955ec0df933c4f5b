import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { FIGURES, type Figures, failures, PAGE, updated, withTable } from './figures.ts';
import type { Row } from './run-scenario.ts';
import { SCENARIOS } from './scenarios.ts';

describe('the table of faults on real servers', () => {
  let figures: Figures;

  before(async () => {
    figures = JSON.parse(await readFile(FIGURES, 'utf8'));
  });

  it('is what the figures say', async () => {
    const page = await readFile(PAGE, 'utf8');
    expect(page).to.equal(withTable(page, figures));
  });

  it('has scenarios that exist alone, in their order, each once', () => {
    const order = SCENARIOS.map(({ name }) => name).filter((name) => figures.rows.some((row) => row.name === name));
    expect(figures.rows.map(({ name }) => name)).to.deep.equal(order);
  });

  it('holds no failure', () => {
    expect(failures(figures.rows)).to.deep.equal([]);
  });

  it('would tell a failure: something lost, doubled or wrong, or a recovery that is late', () => {
    const outcome = {
      acknowledged: 10,
      billed: 10,
      lost: 0,
      doubled: 0,
      wrong: [],
      adsMs: 1,
      impressionsMs: 1,
      asksMs: 1,
    };
    const row: Row = { name: 'sentinel', done: '', rounds: 1, seed: 1, outcome: { ...outcome, recoveredMs: 15_000 } };
    const told = (change: Partial<Row['outcome']>) => failures([{ ...row, outcome: { ...row.outcome, ...change } }]);
    expect(told({})).to.deep.equal([]);
    for (const change of [
      { billed: 9, lost: 1 },
      { billed: 11 },
      { doubled: 1 },
      { wrong: ['it'] },
      { recoveredMs: 15_001 },
    ]) {
      expect(told(change), JSON.stringify(change)).to.have.length(1);
    }
  });

  it('keeps the rows of scenarios that were not run again', () => {
    const row = (name: string, seed: number) => ({ name, done: '', rounds: 1, seed }) as Row;
    const before = [row('cluster', 1), row('sentinel', 1)].map((one) => ({ ...one, takenOn: '2026-11-01' }));
    expect(updated(before, [row('cluster', 2)], '2026-11-02')).to.deep.equal([
      { ...row('sentinel', 1), takenOn: '2026-11-01' },
      { ...row('cluster', 2), takenOn: '2026-11-02' },
    ]);
  });
});

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Results } from '../support/results.ts';

interface Outcome {
  readonly group: { readonly name: string };
  readonly results: Results | undefined;
  readonly code: number;
  readonly seconds: number;
  readonly output: string;
}
type Run = (group: { name: string }, files: string[], folder: string) => Promise<Outcome>;
type RunAgain = (outcomes: readonly Outcome[], folder: string, run: Run) => Promise<Outcome[]>;

const FILE = join('test', 'edge', 'slow.test.js');
const OTHER = join('test', 'edge', 'other.test.js');

function results(change: Partial<Results>): Results {
  return { passed: 0, failed: 0, skipped: 0, leftOut: {}, files: {}, failures: [], rows: [], ...change };
}

function outcome(name: string, change: Partial<Results> | undefined, code = 0): Outcome {
  return { group: { name }, results: change && results(change), code, seconds: 1, output: '' };
}

const edge = outcome(
  'edge',
  {
    passed: 12,
    failed: 1,
    skipped: 1,
    files: { [FILE]: { ms: 5, cpuMs: 5, passed: 2, skipped: 1 }, [OTHER]: { ms: 5, cpuMs: 5, passed: 10, skipped: 0 } },
    failures: [{ file: FILE, title: 'answers in time' }],
    rows: [
      { id: 'a.1', file: 'slow.test.ts', state: 'failed' },
      { id: 'a.2', file: 'other.test.ts', state: 'passed' },
    ],
  },
  1,
);

describe('failed files of a run, once more', () => {
  let runAgain: RunAgain;
  let folder: string;
  let asked: string[][];
  const answering =
    (change: Partial<Results> | undefined, code = 0): Run =>
    async ({ name }, files) => {
      asked.push(files);
      return outcome(name, change, code);
    };

  before(async () => {
    ({ runAgain } = (await import(pathToFileURL(join('scripts', 'tests', 'run-again.mjs')).href)) as {
      runAgain: RunAgain;
    });
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'run-again-'));
    asked = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('count as they come by themselves, in the sums and in what was shown of the specification', async () => {
    const row = { id: 'a.1', file: 'slow.test.ts', state: 'passed' } as const;
    const [judged] = await runAgain([edge], folder, answering({ passed: 4, skipped: 0, rows: [row] }));
    expect(asked).to.deep.equal([[join('dist', FILE)]]);
    expect(judged).to.include({ code: 0 });
    expect(judged!.results).to.deep.include({ passed: 14, failed: 0, skipped: 0, failures: [] });
    expect(judged!.results!.rows.find(({ id }) => id === 'a.1')).to.deep.equal(row);
    expect(JSON.parse(readFileSync(join(folder, 'edge.json'), 'utf8'))).to.deep.equal(judged!.results);
  });

  it('stay failed when they fail by themselves, or end without results', async () => {
    for (const run of [answering({ failed: 1 }, 1), answering(undefined, 1), answering({ passed: 1 }, 1)]) {
      expect(await runAgain([edge], folder, run)).to.deep.equal([edge]);
    }
  });

  it('are not tried again where many failed, or a group ended in another way than by its tests', async () => {
    const failures = Array.from({ length: 13 }, (_, at) => ({ file: join('test', `${at}.test.js`), title: '' }));
    const many = outcome('rules', { failed: 5, failures }, 1);
    const ended = outcome('money', undefined, 1);
    const unknown = outcome('runtime', { failed: 1, failures: [{ file: '', title: 'a hook' }] }, 1);
    for (const one of [many, ended, unknown]) {
      expect(await runAgain([one], folder, answering({ passed: 1 }))).to.deep.equal([one]);
    }
    expect(asked).to.deep.equal([]);
  });
});

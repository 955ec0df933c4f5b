import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';

interface Group {
  readonly name: string;
  readonly paths: readonly string[];
  readonly imports?: RegExp;
  readonly leftOut?: string;
  readonly long?: boolean;
  readonly slow?: string;
}

interface Plan {
  readonly GROUPS: readonly Group[];
  readonly SELECTIONS: Readonly<Record<string, readonly string[]>>;
  groupOf(file: string, text: string): Group | undefined;
}

describe('the plan of the tests', () => {
  let plan: Plan;
  /** Every test file, by its path below `test/`, with its text. */
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join('test', path), 'utf8') }));

  before(async () => {
    plan = await import(pathToFileURL(join('scripts', 'tests', 'plan.mjs')).href);
  });

  it('has every test file in one group: no two claim it with the same right', () => {
    for (const { path, text } of files) {
      const group = plan.groupOf(path, text);
      expect(group, path).not.to.equal(undefined);
      const claims = plan.GROUPS.filter(({ imports }) =>
        group!.imports === undefined ? imports === undefined : imports?.test(text),
      ).flatMap(({ name, paths }) => paths.filter((one) => path.startsWith(one)).map((one) => ({ name, one })));
      const longest = Math.max(...claims.map(({ one }) => one.length));
      const owners = claims.filter(({ one }) => one.length === longest).map(({ name }) => name);
      expect(owners, path).to.deep.equal([group!.name]);
    }
  });

  it('puts a source and what it is compiled to in the same group', () => {
    for (const { path, text } of files) {
      const compiled = readFileSync(join('dist', 'test', path.replace(/\.ts$/, '.js')), 'utf8');
      expect(plan.groupOf(path, compiled)?.name, path).to.equal(plan.groupOf(path, text)?.name);
    }
  });

  it('has no group without a file, and no name twice', () => {
    const used = new Set(files.map(({ path, text }) => plan.groupOf(path, text)!.name));
    expect([...used].sort()).to.deep.equal(plan.GROUPS.map(({ name }) => name).sort());
  });

  it('selects groups that there are, each but the long ones in one selection at least', () => {
    const selected = new Set(Object.values(plan.SELECTIONS).flat());
    const short = plan.GROUPS.filter(({ long }) => long !== true).map(({ name }) => name);
    expect([...selected].sort()).to.deep.equal(short.sort());
  });

  it('says of every group that the quick tests leave out why they do', () => {
    for (const { name, leftOut, slow } of plan.GROUPS) {
      const isQuick = plan.SELECTIONS.quick!.includes(name);
      expect(leftOut ?? slow, name).to.be.a(isQuick ? 'undefined' : 'string');
    }
  });

  it('has no quick test that starts an exchange or a management API', () => {
    const starts = /^import .*\b(startTestExchange|startManagement)\b/m;
    const starting = files.filter(
      ({ path, text }) => plan.SELECTIONS.quick!.includes(plan.groupOf(path, text)!.name) && starts.test(text),
    );
    expect(starting.map(({ path }) => path)).to.deep.equal([]);
  });
});

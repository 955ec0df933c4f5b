import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';

interface ImportGraph {
  importsIn(text: string, folder: string): string[];
  affectedBy(
    changed: Iterable<string>,
    sources: ReadonlyMap<string, { readonly text: string; readonly imports: readonly string[] }>,
  ): Set<string>;
}

describe('which sources a change concerns', () => {
  let graph: ImportGraph;
  before(async () => {
    graph = await import(pathToFileURL(join('scripts', 'tests', 'import-graph.mjs')).href);
  });

  it('finds imports of values, of types, for their effects and while running, and no packages', () => {
    const text = [
      "import { a } from './a.ts';",
      "import type { B } from '../b.ts';",
      "import '../../effects.ts';",
      "const late = await import('./late.ts');",
      "export { c } from './c.ts';",
      "import { expect } from 'chai';",
    ].join('\n');
    expect(graph.importsIn(text, 'x/y')).to.deep.equal(['x/y/a.ts', 'x/b.ts', 'effects.ts', 'x/y/late.ts', 'x/y/c.ts']);
  });

  const sources = new Map(
    Object.entries({
      'exchange/money.ts': [],
      'exchange/price.ts': ['exchange/money.ts', 'exchange/floor.ts'],
      'exchange/floor.ts': ['exchange/price.ts'],
      'test/exchange/price.test.ts': ['exchange/price.ts'],
      'test/exchange/other.test.ts': [],
    }).map(([path, imports]) => [path, { text: '', imports }]),
  );

  it('follows imports to the tests, round cycles too, and leaves other tests alone', () => {
    expect([...graph.affectedBy(['exchange/money.ts'], sources)].sort()).to.deep.equal([
      'exchange/floor.ts',
      'exchange/money.ts',
      'exchange/price.ts',
      'test/exchange/price.test.ts',
    ]);
  });

  it('takes what is no source for read by the sources of the nearest folder above it that has any', () => {
    const affected = graph.affectedBy(['test/exchange/cases/exemplary/one.json', 'README.md'], sources);
    expect([...affected].sort()).to.deep.equal(['test/exchange/other.test.ts', 'test/exchange/price.test.ts']);
  });
});

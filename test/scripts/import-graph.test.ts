import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';

interface ImportGraph {
  affectedBy(changed: Iterable<string>, sources: ReadonlyMap<string, string>): Set<string>;
}

describe('which sources a change concerns', () => {
  let graph: ImportGraph;
  before(async () => {
    graph = await import(pathToFileURL(join('scripts', 'tests', 'import-graph.mjs')).href);
  });

  const importing = (...paths: string[]) => paths.map((path) => `import { x } from '${path}';`).join('\n');
  const sources = new Map([
    ['exchange/money.ts', ''],
    ['exchange/price.ts', importing('./money.ts', './floor.ts', 'chai')],
    ['exchange/floor.ts', importing('./price.ts')],
    ['test/exchange/price.test.ts', importing('../../exchange/price.ts')],
    ['test/exchange/other.test.ts', ''],
  ]);

  it('finds imports of values, of types, for their effects and while running', () => {
    const kinds = [
      "import type { A } from '../a.ts';",
      "import '../a.ts';",
      "const late = await import('../a.ts');",
      "export { a } from '../a.ts';",
      "import {\n  a,\n} from '../a.ts';",
    ];
    for (const text of kinds) {
      const affected = graph.affectedBy(['x/a.ts'], new Map([['x/y/b.ts', text]]));
      expect([...affected], text).to.deep.equal(['x/a.ts', 'x/y/b.ts']);
    }
  });

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

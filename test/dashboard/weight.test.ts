import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const built = fileURLToPath(new URL('../../dashboard/', import.meta.url));
const MOST_BYTES = 250_000;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/**
 * What a page needs before it can be used, as gzip sends it: the entry, the page, and all that these import, but
 * nothing lazy.
 */
function firstLoad(page: string): { readonly bytes: number; readonly files: readonly string[] } {
  const chunks: Record<string, Chunk> = JSON.parse(readFileSync(`${built}.vite/manifest.json`, 'utf8'));
  const files = new Set<string>();
  const seen = new Set<string>();
  const take = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const { file, imports = [], css = [] } = chunks[name]!;
    for (const one of [file, ...css]) files.add(one);
    imports.forEach(take);
  };
  take('index.html');
  take(page);
  // Files too small to be worth compressing go out as they are.
  const sizeOf = (file: string) =>
    statSync(`${built}${file}.gz`, { throwIfNoEntry: false })?.size ?? statSync(`${built}${file}`).size;
  return { bytes: [...files].reduce((sum, file) => sum + sizeOf(file), 0), files: [...files] };
}

describe('dashboard: weight', () => {
  for (const page of ['pages/log-in/log-in-page.tsx', 'pages/home/home-page.tsx']) {
    it(`is at most ${MOST_BYTES.toLocaleString('en')} bytes for the first load of ${page}`, () => {
      const { bytes, files } = firstLoad(page);
      expect(bytes, files.join(' ')).to.be.at.most(MOST_BYTES);
    });
  }

  it('has charts and the editor of strategies in files of their own', () => {
    const { files } = firstLoad('pages/home/home-page.tsx');
    expect(files.filter((file) => /chart-drawn|json-editor/.test(file))).to.deep.equal([]);
  });
});

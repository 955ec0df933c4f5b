import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';

describe('whether a build is of the present sources', () => {
  let sourceStamp: (folder?: string) => string;
  let isBuiltOf: (stamp: string, outDir: string) => boolean;
  let markBuilt: (stamp: string, outDir: string) => void;
  before(async () => {
    const module = pathToFileURL(join('scripts', 'source-stamp.mjs')).href;
    ({ sourceStamp, isBuiltOf, markBuilt } = await import(module));
  });

  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sources-'));
    for (const name of ['edge', 'client']) await mkdir(join(folder, name));
    await writeFile(join(folder, 'package-lock.json'), '{}');
    await writeFile(join(folder, 'main.ts'), '1;\n');
    await writeFile(join(folder, 'edge', 'edge.ts'), '1;\n');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is known once it is marked, until a source or the lock file changes', async () => {
    const outDir = join(folder, 'dist');
    const isCurrent = () => isBuiltOf(sourceStamp(folder), outDir);
    for (const changed of ['main.ts', 'edge/edge.ts', 'package-lock.json']) {
      await appendFile(join(folder, changed), ' ');
      expect(isCurrent(), `after a change of ${changed}`).to.equal(false);
      markBuilt(sourceStamp(folder), outDir);
      expect(isCurrent(), 'marked').to.equal(true);
    }
    await writeFile(join(folder, 'client', 'generated.d.ts'), '');
    await writeFile(join(folder, 'edge', 'notes.md'), '');
    expect(isCurrent(), 'after a change of what is no source').to.equal(true);
  });
});

import { join } from 'node:path';
import { expect } from 'chai';
import { open, type RootDatabase } from 'lmdb';
import { DATA_FILE } from '#runtime/providers/embedded/data-file';
import { openEnvironment } from '#runtime/providers/embedded/environment';
import { type DataFolder, freshDataFolder } from './data-folder.ts';

/** The size of a file's pages; lmdb's declarations say that its statistics are an object. */
const pageBytes = (root: RootDatabase): unknown => (root.getStats() as { readonly pageSize: number }).pageSize;

describe('the file of the embedded pair', () => {
  let data: DataFolder;
  beforeEach(async () => {
    data = await freshDataFolder();
  });
  afterEach(() => data.remove());

  it('has pages of 16 KB when it is new', async () => {
    const { root } = openEnvironment(data.folder);
    expect(pageBytes(root)).to.equal(16_384);
    await root.close();
  });

  it('keeps the pages and the data that an earlier release gave it', async () => {
    const earlier = open({ path: join(data.folder, DATA_FILE), noSubdir: true, maxDbs: 16, pageSize: 4_096 });
    await earlier.openDB<string, string>({ name: 'documents', encoding: 'string' }).put('kind/id', 'a document');
    await earlier.close();
    const { root, documents } = openEnvironment(data.folder);
    expect(pageBytes(root)).to.equal(4_096);
    expect(documents.get('kind/id')).to.equal('a document');
    const longest = 'ⱥ'.repeat(600);
    await documents.put(longest, 'x'.repeat(100_000));
    await root.close();
    const again = openEnvironment(data.folder);
    expect(again.documents.get(longest)).to.have.length(100_000);
    await again.root.close();
  });
});

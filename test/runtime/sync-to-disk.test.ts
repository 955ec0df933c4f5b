import fs, { type FileHandle, mkdtemp, rm, stat } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFolder } from '#runtime/sync-to-disk';

describe('a folder that is made to last', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'folders-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  /** The paths that `work` opens and syncs, in this order. */
  async function syncedBy(work: () => Promise<void>): Promise<string[]> {
    const synced: string[] = [];
    const original = fs.open;
    const recorded = async (path: string, flags: string): Promise<FileHandle> => {
      const handle = await original(path, flags);
      const sync = handle.sync.bind(handle);
      handle.sync = async () => {
        await sync();
        synced.push(path);
      };
      return handle;
    };
    fs.open = recorded as typeof fs.open;
    syncBuiltinESMExports();
    try {
      await work();
    } finally {
      fs.open = original;
      syncBuiltinESMExports();
    }
    return synced;
  }

  it('has its name and those of the folders made above it on the disk', async () => {
    const synced = await syncedBy(() => makeFolder(join(root, 'a', 'b', 'c'), 0o700));
    expect(synced).to.deep.equal([join(root, 'a', 'b'), join(root, 'a'), root]);
    for (const path of ['a', 'a/b', 'a/b/c']) expect((await stat(join(root, path))).mode & 0o777, path).to.equal(0o700);
  });

  it('is synced nowhere if it was there', async () => {
    expect(await syncedBy(() => makeFolder(root))).to.deep.equal([]);
  });

  it('may be named from the present folder, and with a slash at its end', async () => {
    const present = process.cwd();
    process.chdir(root);
    try {
      expect(await syncedBy(() => makeFolder('here/there/'))).to.deep.equal([join(root, 'here'), root]);
    } finally {
      process.chdir(present);
    }
  });
});

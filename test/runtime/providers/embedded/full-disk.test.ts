import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { START } from '#runtime/ports/position';
import { type DataFolder, freshDataFolder } from './data-folder.ts';

const WRITER = fileURLToPath(new URL('./full-disk-process.js', import.meta.url));
/**
 * The largest file the process may write, in blocks of 512 or 1,024 bytes, as the shell has it. It ends inside of a
 * page: a write that begins where the file may not grow makes lmdb 3.5 overwrite its own memory, which the provider
 * avoids by what it leaves free on a disk (disk-room.ts).
 */
const FILE_BLOCKS = 20_001;

describe('the embedded provider on a disk that is full', () => {
  let data: DataFolder;
  before(async () => {
    data = await freshDataFolder();
  });
  after(() => data.remove());

  it('says so with its own errors, loses nothing, and goes on once there is room', async function () {
    if (process.platform === 'win32') return this.skip();
    const child = spawn(
      'sh',
      ['-c', `ulimit -f ${FILE_BLOCKS}; exec "$0" "$@"`, process.execPath, WRITER, data.folder],
      {
        // lmdb prints every failed commit.
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const exited = once(child, 'exit');
    const met = JSON.parse(await text(child.stdout)) as Record<string, unknown>;
    expect((await exited)[0]).to.equal(0);
    expect(met.appended).to.be.within(2, 30);
    expect(met).to.deep.include({
      refused: 'LogUnavailable with its cause',
      save: 'StoreUnavailable with its cause',
      known: met.appended,
      length: met.appended,
      trimmed: true,
      recovered: ['done', 'done'],
    });
    const { log, store, close } = await data.open();
    try {
      const entries = (await log.log.read(new Map([[0, START]]), 100, 0)).get(0)!;
      expect(entries.map((entry) => entry.payload.split(' ')[0])).to.deep.equal([
        String((met.appended as number) - 1),
        'afterwards',
      ]);
      expect((await store.load([{ kind: 'thing', id: 'a' }]))[0]!.version).to.equal(1);
    } finally {
      await close();
    }
  });
});

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { appendFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ImpressionSpool, RESERVED_BYTES } from '#edge/impressions/spool';
import { encodeSpooled } from '#edge/impressions/spool-record';
import { spooledImpression } from './spooled-impression.ts';

const run = promisify(execFile);

describe('the impression spool', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spool-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function idsIn(spool: ImpressionSpool): Promise<string[]> {
    const ids: string[] = [];
    for (const file of await spool.files()) {
      const { impressions } = await spool.read(file);
      ids.push(...impressions.map(({ entry }) => entry.id));
    }
    return ids;
  }

  it('gives back what it was given, in order, after a restart', async () => {
    const spool = new ImpressionSpool({ folder: join(folder, 'not', 'there', 'yet') });
    const given = Array.from({ length: 50 }, (_, number) => spooledImpression(`id-${number}`));
    await Promise.all(given.map((impression) => spool.append(impression)));
    await spool.close();

    const again = new ImpressionSpool({ folder: join(folder, 'not', 'there', 'yet') });
    const [file] = await again.files();
    expect(await again.read(file!)).to.deep.equal({ exchange: null, impressions: given, damagedLines: 0 });
  });

  it('begins a new file when one is full, and after a restart', async () => {
    const spool = new ImpressionSpool({ folder, maxFileBytes: 1 });
    for (const id of ['a', 'b', 'c']) await spool.append(spooledImpression(id));
    await spool.close();
    const again = new ImpressionSpool({ folder });
    await again.append(spooledImpression('d'));
    expect(await again.files()).to.have.length(4);
    expect(await idsIn(again)).to.deep.equal(['a', 'b', 'c', 'd']);
    await again.close();
  });

  it('takes more while what it has is read and removed', async () => {
    const spool = new ImpressionSpool({ folder });
    await spool.append(spooledImpression('before'));
    const [file] = await spool.files();
    await Promise.all([spool.append(spooledImpression('meanwhile')), spool.files()]);
    await spool.remove(file!);
    expect(await idsIn(spool)).to.deep.equal(['meanwhile']);
    await spool.close();
  });

  it('lists no file that an append begins meanwhile, so that none is removed with lines that nobody has read', async () => {
    const spool = new ImpressionSpool({ folder });
    await spool.append(spooledImpression('before'));
    const [listed] = await withSlowListings(() =>
      Promise.all([spool.files(), spool.append(spooledImpression('meanwhile'))]),
    );
    await spool.append(spooledImpression('after'));
    expect(listed).to.have.length(1);
    for (const file of listed) await spool.remove(file);
    expect(await idsIn(spool)).to.deep.equal(['meanwhile', 'after']);
    await spool.close();
  });

  it('leaves out a torn last line, wherever it was torn', async () => {
    const spool = new ImpressionSpool({ folder });
    await spool.append(spooledImpression('whole'));
    await spool.append(spooledImpression('torn'));
    await spool.close();
    const [name] = await readdir(folder);
    const path = join(folder, name!);
    const text = await readFile(path, 'utf8');
    const secondLine = text.indexOf('\n') + 1;
    for (let length = text.length - 1; length >= secondLine; length -= 17) {
      await truncate(path, length);
      expect(await spool.read(name!)).to.deep.equal({
        exchange: null,
        impressions: [spooledImpression('whole')],
        damagedLines: 0,
      });
    }
  });

  it('counts a damaged line and reads the others', async () => {
    const spool = new ImpressionSpool({ folder });
    for (const id of ['first', 'damaged', 'last']) await spool.append(spooledImpression(id));
    await spool.close();
    const [name] = await readdir(folder);
    const path = join(folder, name!);
    await writeFile(path, (await readFile(path, 'utf8')).replace('"damaged"', '"damageD"'));
    const { impressions, damagedLines } = await spool.read(name!);
    expect(impressions.map(({ entry }) => entry.id)).to.deep.equal(['first', 'last']);
    expect(damagedLines).to.equal(1);
  });

  it('rejects when it cannot write, and goes on when it can again', async () => {
    const blocked = join(folder, 'file-in-the-way');
    await appendFile(blocked, '');
    const spool = new ImpressionSpool({ folder: blocked });
    const error = await spool.append(spooledImpression('a')).then(
      () => null,
      (reason: NodeJS.ErrnoException) => reason,
    );
    expect(error?.code).to.be.oneOf(['EEXIST', 'ENOTDIR']);
    await rm(blocked);
    await spool.append(spooledImpression('b'));
    expect(await idsIn(spool)).to.deep.equal(['b']);
    await spool.close();
  });

  it('takes nothing while the disk has little left, and goes on when it has more', async () => {
    let free = RESERVED_BYTES;
    const spool = new ImpressionSpool({ folder, freeBytes: () => free });
    await spool.append(spooledImpression('a'));
    free -= 1;
    const error = await spool.append(spooledImpression('b')).then(
      () => null,
      (reason: Error) => reason,
    );
    expect(error?.message).to.equal('the disk of the spool has less than 32 MB left');
    free += 1;
    await spool.append(spooledImpression('c'));
    expect(await idsIn(spool)).to.deep.equal(['a', 'c']);
    await spool.close();
  });

  it('keeps all impressions that came too late, or none where the file system fails on the way', async () => {
    const script = fileURLToPath(new URL('too-late-process.js', import.meta.url));
    const limited = 'ulimit -f 16 && exec "$0" "$1" "$2"';
    const { stdout } = await run('sh', ['-c', limited, process.execPath, script, folder]);
    expect(stdout).to.equal('EFBIG\nEFBIG\n');
    const kept = await readFile(join(folder, 'too-late.log'), 'utf8');
    expect(kept).to.equal(encodeSpooled(spooledImpression('kept')));
  });

  it('loses nothing that was acknowledged before a kill -9', async () => {
    const script = fileURLToPath(new URL('spooling-process.js', import.meta.url));
    const writer = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    const acknowledged: string[] = [];
    const lines = createInterface({ input: writer.stdout });
    lines.on('line', (id) => {
      acknowledged.push(id);
      if (acknowledged.length === 200) writer.kill('SIGKILL');
    });
    await once(lines, 'close');
    expect(acknowledged.length).to.be.at.least(200);
    expect(await idsIn(new ImpressionSpool({ folder }))).to.include.members(acknowledged);
  });
});

/** Runs `work` while folders are listed so slowly that an append which may overtake the listing does. */
async function withSlowListings<T>(work: () => Promise<T>): Promise<T> {
  const { readdir } = fs;
  const slowly = async (path: string) => {
    for (let turns = 0; turns < 20_000; turns++) await turn();
    return readdir(path);
  };
  fs.readdir = slowly as typeof readdir;
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    fs.readdir = readdir;
    syncBuiltinESMExports();
  }
}

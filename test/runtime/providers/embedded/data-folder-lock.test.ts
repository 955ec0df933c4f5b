import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { DataFolderLocked } from '#runtime/ports/errors';
import { lockDataFolder } from '#runtime/providers/embedded/data-folder-lock';

const WRITER = fileURLToPath(new URL('./writer-process.js', import.meta.url));

async function refusal(folder: string): Promise<unknown> {
  return lockDataFolder(folder).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('the lock of a data folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'exchange-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is held once, until it is released', async () => {
    const lock = await lockDataFolder(folder);
    const error = await refusal(folder);
    expect(error).to.be.instanceOf(DataFolderLocked);
    expect((error as Error).message)
      .to.include(folder)
      .and.to.include(`process ${process.pid}`);
    await lock.release();
    await (await lockDataFolder(folder)).release();
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('names the process that holds it, and is free when that was killed', async () => {
    const child = spawn(process.execPath, [WRITER, folder, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    try {
      const error = await refusal(folder);
      expect(error).to.be.instanceOf(DataFolderLocked);
      expect((error as Error).message).to.include(`process ${child.pid}`);
    } finally {
      child.kill('SIGKILL');
      await exited;
    }
    await (await lockDataFolder(folder)).release();
  });

  it('goes to at most one of many that race for it, with dead claims about', async () => {
    for (let round = 0; round < 10; round++) {
      await writeFile(join(folder, `lock.4194999.1.dead.${round}`), '');
      const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => lockDataFolder(folder)));
      const locks = outcomes.filter((outcome) => outcome.status === 'fulfilled');
      expect(locks.length).to.be.at.most(1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).to.be.instanceOf(DataFolderLocked);
      }
      for (const { value } of locks) await value.release();
      await (await lockDataFolder(folder)).release();
    }
  });

  it('is not held by another process that got the pid of the dead one', async function () {
    if (process.platform !== 'linux') return this.skip();
    const lock = await lockDataFolder(folder);
    const [claim] = await readdir(folder);
    await lock.release();
    const [, pid, start, boot] = claim!.split('.');
    await writeFile(join(folder, `lock.${pid}.${Number(start) - 1}.${boot}.earlier`), '');
    await writeFile(join(folder, `lock.${pid}.${start}.0${boot!.slice(1)}x.rebooted`), '');
    await (await lockDataFolder(folder)).release();
    await writeFile(join(folder, `lock.${pid}.${start}.${boot}.same`), '');
    expect(await refusal(folder)).to.be.instanceOf(DataFolderLocked);
  });
});

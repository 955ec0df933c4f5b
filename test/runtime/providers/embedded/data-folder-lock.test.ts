import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { DataFolderLocked } from '#runtime/ports/errors';
import { type DataFolderLock, lockDataFolder } from '#runtime/providers/embedded/data-folder-lock';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { FakeTimer } from '#test/async/fake-timer';
import { eventually } from '#test/support/eventually';

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
    // Of release 0.4, whose claims name no pid namespace.
    await writeFile(join(folder, `lock.${pid}.${start}.${boot}.same`), '');
    expect(await refusal(folder)).to.be.instanceOf(DataFolderLocked);
  });

  describe('of which a process has a claim that cannot be looked up from here', () => {
    const LOOK_MS = 500;
    let timer: FakeTimer;
    let reports: string[];
    let modifiedMs: number;
    beforeEach(() => {
      timer = new FakeTimer();
      reports = [];
      modifiedMs = Date.now() - 60_000;
    });

    type Elsewhere = 'another container' | 'another machine';
    /** Looked up here, the one would be dead, since no pid is so high, and the other alive. */
    const PIDS = { 'another container': 4_194_999, 'another machine': process.pid };

    async function claimOf(place: Elsewhere): Promise<string> {
      const lock = await lockDataFolder(folder);
      const [own] = await readdir(folder);
      await lock.release();
      const [, , start, boot] = own!.split('.');
      const pid = PIDS[place];
      const name =
        place === 'another machine' ? `lock.${pid}.${start}.0${boot}.4026531836_a` : `lock.${pid}.${start}.${boot}.1_a`;
      await writeFile(join(folder, name), '');
      return join(folder, name);
    }

    const renew = async (claim: string) => {
      modifiedMs += 1;
      await utimes(claim, new Date(modifiedMs), new Date(modifiedMs));
    };

    /**
     * Lets look after look pass, with `between` them, until the call is over; resolves with its outcome and the looks.
     */
    async function lock(between: (looks: number) => Promise<unknown>): Promise<[DataFolderLock | Error, number]> {
      let outcome: DataFolderLock | Error | undefined;
      const report = (message: string) => void reports.push(message);
      lockDataFolder(folder, { timer, report }).then(
        (lock) => {
          outcome = lock;
        },
        (error: Error) => {
          outcome = error;
        },
      );
      for (let looks = 0; ; looks++) {
        await eventually('the next look, or the end', () => outcome !== undefined || timer.pending > 0);
        if (outcome !== undefined) return [outcome, looks];
        await between(looks);
        timer.pass(LOOK_MS);
      }
    }

    for (const place of ['another container', 'another machine'] as const) {
      it(`is refused while that is renewed, of ${place}`, async () => {
        const claim = await claimOf(place);
        const [outcome, looks] = await lock(async (before) => (before === 3 ? renew(claim) : undefined));
        expect(outcome).to.be.instanceOf(DataFolderLocked);
        expect((outcome as Error).message)
          .to.include(`process ${PIDS[place]} of ${place}`)
          .and.to.include(folder);
        expect(looks).to.equal(4);
        expect(await readdir(folder)).to.have.length(1);
      });

      it(`is taken when that was not renewed for ten seconds, of ${place}, and says why it waits`, async () => {
        await claimOf(place);
        const [outcome, looks] = await lock(async () => {
          expect(reports.join()).to.include(folder).and.to.include(`process ${PIDS[place]}`);
        });
        expect(looks * LOOK_MS).to.equal(10_000);
        expect(reports).to.have.length(2);
        await (outcome as DataFolderLock).release();
        expect(await readdir(folder)).to.deep.equal([]);
      });
    }

    it('is taken at once when that is withdrawn', async () => {
      const claim = await claimOf('another container');
      const [outcome, looks] = await lock(() => rm(claim, { force: true }));
      expect(looks).to.equal(1);
      await (outcome as DataFolderLock).release();
    });

    it('is renewed by its holder until it is released', async () => {
      const holder = await lockDataFolder(folder, { timer });
      const [own] = await readdir(folder);
      const before = (await stat(join(folder, own!), { bigint: true })).mtimeNs;
      timer.pass(2_000);
      await eventually(
        'the renewal',
        async () => (await stat(join(folder, own!), { bigint: true })).mtimeNs !== before,
      );
      expect(holder.lost.aborted).to.equal(false);
      await holder.release();
      expect(timer.pending).to.equal(0);
      expect(await readdir(folder)).to.deep.equal([]);
    });

    it('tells the holder when it was taken for dead', async () => {
      const holder = await lockDataFolder(folder, { timer });
      const [own] = await readdir(folder);
      await rm(join(folder, own!));
      timer.pass(2_000);
      await eventually('the loss', () => holder.lost.aborted);
      await holder.release();
    });

    it('takes no more writes from a holder that was taken for dead', async () => {
      const embedded = await openEmbedded({ folder, partitions: 1, clock: systemClock });
      const [own] = (await readdir(folder)).filter((name) => name.startsWith('lock.'));
      await rm(join(folder, own!));
      await eventually('the refusal', async () => !(await embedded.store.healthy()), { timeoutMs: 10_000 });
      const refused = await embedded.log.log.append(0, ['{}']).catch((error: Error) => error.message);
      expect(refused).to.include('another process has taken the data folder');
      await embedded.close();
    });
  });
});

import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pause, systemTimer } from '#async/pause';
import { DataFolderLocked } from '../../ports/errors.ts';

/**
 * The name of a claim: `lock.<pid>.<process start>.<boot>.<random>`. It identifies one claim of one process and is
 * never used twice.
 */
const CLAIM = /^lock\.(\d+)\.(\d+)\.(\w+)\.\w+$/;
/**
 * The number of attempts: two processes that claim at the same instant both withdraw, and each waits a random time
 * before the next attempt.
 */
const ATTEMPTS = 5;
/** Upper bound of that random time, ms. */
const BACK_OFF_MS = 40;

export interface DataFolderLock {
  release(): Promise<void>;
}

/**
 * Claims `folder` for this process. Rejects with `DataFolderLocked`, which names the folder and the pid of the holder.
 *
 * The claim is a file whose name identifies its process. A process first writes its own claim, then looks for others,
 * so of two that race at least one sees the other. A claim whose process is gone is removed; since no name is used
 * again, this can never remove a new claim of another process. The process start reveals a reused pid, and the kernel's
 * boot id a reboot (without /proc only the pid is compared).
 */
export async function lockDataFolder(folder: string): Promise<DataFolderLock> {
  await mkdir(folder, { recursive: true });
  const boot = await bootId();
  const start = (await processStart(process.pid)) ?? '0';
  for (let attempt = 1; ; attempt++) {
    const name = `lock.${process.pid}.${start}.${boot}.${randomBytes(6).toString('hex')}`;
    await writeFile(join(folder, name), '', { flag: 'wx' });
    const holder = await otherHolder(folder, name, boot).catch(async (error: unknown) => {
      await rm(join(folder, name), { force: true });
      throw error;
    });
    if (holder === undefined) return { release: () => rm(join(folder, name), { force: true }) };
    await rm(join(folder, name), { force: true });
    if (attempt === ATTEMPTS) {
      throw new DataFolderLocked(
        `the data folder ${folder} is in use by process ${holder}: only one process at a time can hold it. ` +
          'Stop that process, or give this one a folder of its own (DATA_DIR).',
      );
    }
    await pause(systemTimer, Math.random() * BACK_OFF_MS);
  }
}

/** The pid of a living process, including this one, with another claim on the folder. Removes dead claims. */
async function otherHolder(folder: string, own: string, boot: string): Promise<number | undefined> {
  for (const name of await readdir(folder)) {
    const claim = name === own ? null : CLAIM.exec(name);
    if (!claim) continue;
    const pid = Number(claim[1]);
    if (claim[3] === boot && (await lives(pid, claim[2]!))) return pid;
    await rm(join(folder, name), { force: true });
  }
  return undefined;
}

async function lives(pid: number, start: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return ((await processStart(pid)) ?? start) === start;
}

/** The start of the process in clock ticks since boot; undefined where the system does not report it. */
async function processStart(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  // The second field is the command in parentheses, which may hold anything; the start is the 22nd.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

async function bootId(): Promise<string> {
  const id = await readFile('/proc/sys/kernel/random/boot_id', 'latin1').catch(() => 'unknown');
  return id.trim().replaceAll('-', '');
}

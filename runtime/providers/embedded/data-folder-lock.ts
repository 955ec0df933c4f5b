import { randomBytes } from 'node:crypto';
import { readdir, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pause, systemTimer, type Timer } from '#async/pause';
import { Ticker } from '#async/ticker';
import { DataFolderLocked } from '../../ports/errors.ts';
import { makeFolder } from '../../sync-to-disk.ts';

/**
 * The name of a claim: `lock.<pid>.<process start>.<boot>.<pid namespace>_<random>`. It identifies one claim of one
 * process and is never used twice. Release 0.4 wrote no namespace; it reads the name with one as its own.
 */
const CLAIM = /^lock\.(?<pid>\d+)\.(?<start>\d+)\.(?<boot>\w+)\.(?:(?<namespace>\d+)_)?\w+$/;
/**
 * The number of attempts: two processes that claim at the same instant both withdraw, and each waits a random time
 * before the next attempt.
 */
const ATTEMPTS = 5;
/** Upper bound of that random time, ms. */
const BACK_OFF_MS = 40;
/** A holder sets the time of its claim so often, ms, for those who cannot see its process. */
const RENEW_EVERY_MS = 2_000;
/**
 * A claim whose time is the same at so many looks is that of a dead process. Time in which the watching process was
 * suspended with its machine is one look, however long.
 */
const LOOKS = 20;
const LOOK_EVERY_MS = 500;

/** A timer that keeps no process alive. */
const BACKGROUND: Timer = {
  after(delayMs, fire) {
    const timer = setTimeout(fire, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

export interface DataFolderLock {
  /** Aborted when another process has taken the folder over, because this one seemed to be dead. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

interface LockOptions {
  /** Told what the call waits for, and what came of it. */
  readonly report?: (message: string) => void;
  /** Default: timers of Node.js. */
  readonly timer?: Timer;
}

/** What tells whether the pid of a claim can be looked up from here. */
interface Place {
  readonly boot: string;
  readonly namespace: string;
}

interface Claim extends Place {
  readonly name: string;
  readonly pid: number;
}

/**
 * Claims `folder` for this process. Rejects with `DataFolderLocked`, which names the folder and the pid of the holder.
 *
 * The claim is a file whose name identifies its process. A process first writes its own claim, then looks for others,
 * so of two that race at least one sees the other. A claim whose process is gone is removed; since no name is used
 * again, this can never remove a new claim of another process. The process start reveals a reused pid.
 *
 * A pid means something on one machine, until it is restarted, and in one pid namespace, of which each container has
 * its own. The claim names both, the machine by the kernel's boot id (without /proc neither is known, and only the pid
 * is compared). A claim from elsewhere is watched for ten seconds: its holder renews the time of the file, and a claim
 * that is not renewed is removed.
 */
export async function lockDataFolder(folder: string, options: LockOptions = {}): Promise<DataFolderLock> {
  await makeFolder(folder);
  const here: Place = { boot: await bootId(), namespace: await pidNamespace() };
  const start = (await processStart(process.pid)) ?? '0';
  for (let attempt = 1; ; attempt++) {
    const random = randomBytes(6).toString('hex');
    const name = `lock.${process.pid}.${start}.${here.boot}.${here.namespace}_${random}`;
    await writeFile(join(folder, name), '', { flag: 'wx' });
    const others = await otherClaims(folder, name, here).catch(async (error: unknown) => {
      await rm(join(folder, name), { force: true });
      throw error;
    });
    if (others.length === 0) return hold(join(folder, name), options.timer ?? BACKGROUND);
    await rm(join(folder, name), { force: true });
    const visible = others.find((claim) => isVisible(claim, here));
    const renewed = visible ? undefined : await renewedOf(folder, others, options);
    if (renewed) throw locked(folder, nameOf(renewed, here));
    if (attempt === ATTEMPTS) throw locked(folder, nameOf(visible ?? others[0]!, here));
    await pause(systemTimer, Math.random() * BACK_OFF_MS);
  }
}

function locked(folder: string, holder: string): DataFolderLocked {
  return new DataFolderLocked(
    `the data folder ${folder} is in use by ${holder}: only one process at a time can hold it. ` +
      'Stop that process, or give this one a folder of its own (DATA_DIR).',
  );
}

function nameOf(claim: Claim, here: Place): string {
  if (isVisible(claim, here)) return `process ${claim.pid}`;
  const where = claim.boot === here.boot ? 'of another container, or of the host' : 'of another machine';
  return `process ${claim.pid} ${where}`;
}

function isVisible({ boot, namespace }: Place, here: Place): boolean {
  return boot === here.boot && namespace === here.namespace;
}

function hold(path: string, timer: Timer): DataFolderLock {
  const lost = new AbortController();
  const renewing = new Ticker(timer, RENEW_EVERY_MS, async () => {
    const now = new Date();
    await utimes(path, now, now).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') lost.abort();
    });
  });
  renewing.start();
  return {
    lost: lost.signal,
    async release() {
      await renewing.stop();
      await rm(path, { force: true });
    },
  };
}

/** The other claims of processes that live, including this one, or cannot be looked up. Removes those of dead ones. */
async function otherClaims(folder: string, own: string, here: Place): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const name of await readdir(folder)) {
    const parts = name === own ? undefined : CLAIM.exec(name)?.groups;
    if (!parts) continue;
    const { pid, start, boot, namespace } = parts as { pid: string; start: string; boot: string; namespace?: string };
    // A claim of release 0.4 is judged as that does: by this machine's pids, or as one of before its restart.
    const claim = { name, pid: Number(pid), boot, namespace: namespace ?? here.namespace };
    const mayLive = isVisible(claim, here) ? await lives(claim.pid, start) : namespace !== undefined;
    if (mayLive) claims.push(claim);
    else await rm(join(folder, name), { force: true });
  }
  return claims;
}

/**
 * Watches claims whose processes cannot be looked up, until one of them is renewed or they are withdrawn. Removes those
 * that are not renewed in time, and resolves with undefined.
 */
async function renewedOf(
  folder: string,
  claims: readonly Claim[],
  { report = () => {}, timer = systemTimer }: LockOptions,
): Promise<Claim | undefined> {
  const watched = new Map<Claim, bigint>();
  for (const claim of claims) {
    const time = await timeOf(join(folder, claim.name));
    if (time !== undefined) watched.set(claim, time);
  }
  const pids = [...watched.keys()].map(({ pid }) => pid).join(', ');
  if (watched.size > 0) {
    report(
      `the data folder ${folder} was claimed by process ${pids} of another container, of another machine or of this one ` +
        `before its restart: it is taken over in ${(LOOKS * LOOK_EVERY_MS) / 1000} s unless that process turns out to live`,
    );
  }
  for (let look = 0; look < LOOKS && watched.size > 0; look++) {
    await pause(timer, LOOK_EVERY_MS);
    for (const [claim, before] of watched) {
      const time = await timeOf(join(folder, claim.name));
      if (time === undefined) watched.delete(claim);
      else if (time !== before) return claim;
    }
  }
  for (const { name } of watched.keys()) await rm(join(folder, name), { force: true });
  if (watched.size > 0) report(`the data folder ${folder} is taken over: process ${pids} no longer lives`);
  return undefined;
}

/** The time of a claim, ns; undefined when it is gone. */
async function timeOf(path: string): Promise<bigint | undefined> {
  return stat(path, { bigint: true }).then(
    ({ mtimeNs }) => mtimeNs,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    },
  );
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

/** The number of this process's pid namespace; `0` where the system does not report it. */
async function pidNamespace(): Promise<string> {
  const link = await readlink('/proc/self/ns/pid').catch(() => '');
  return /\d+/.exec(link)?.[0] ?? '0';
}

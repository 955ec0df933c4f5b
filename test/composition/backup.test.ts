import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { exchangeCommand } from '../support/exchange-command.ts';
import { Installation } from './installation.ts';
import { BOOKS, SandboxTraffic } from './sandbox-traffic.ts';

/** Kills the process when half of a data file is copied. */
const KILLED_WITHIN_COPY = `data:text/javascript,${encodeURIComponent(`
  import files from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const { copyFile } = files;
  files.copyFile = async (from, to, mode) => {
    if (!from.endsWith('.mdb')) return copyFile(from, to, mode);
    const whole = await files.readFile(from);
    await files.writeFile(to, whole.subarray(0, whole.length / 2));
    process.kill(process.pid, 'SIGKILL');
  };
  syncBuiltinESMExports();`)}`;

const run = (program: 'backup' | 'restore', environment: Readonly<Record<string, string>>, ...args: string[]) =>
  exchangeCommand(environment, program, ...args);

describe('exchange backup and exchange restore', () => {
  let original: Installation;
  let restored: Installation;
  beforeEach(async () => {
    const key = { BOOTSTRAP_SANDBOX_API_KEY: 'pk_sandbox_of-this-test' };
    original = await Installation.make(key);
    restored = await Installation.make(key);
  });
  afterEach(async () => {
    await original.remove();
    await restored.remove();
  });

  it('keep all that was acknowledged before, when they run while impressions are billed, and the ledgers of both balance', async () => {
    const exchange = await original.start();
    const traffic = new SandboxTraffic(original);
    traffic.start(4);
    await eventually('impressions to be billed', () => traffic.confirmed > 50, { timeoutMs: 60_000 });
    const before = traffic.confirmed;
    const backup = join(original.folder, 'backup');
    const ended = await run('backup', original.environment, backup, '--with-secret-key');
    expect(ended, ended.stderr).to.include({ code: 0, stderr: '' });
    const after = traffic.confirmed;
    expect(after, 'impressions that were billed meanwhile').to.be.above(before);
    await traffic.end();
    expect(await readdir(backup)).to.include.members(['backup.json', 'exchange.mdb', 'secret-key']);
    for (const name of ['backup.json', 'exchange.mdb', 'secret-key'])
      expect((await stat(join(backup, name))).mode & 0o777, name).to.equal(0o600);
    await traffic.expectBooks();
    exchange.signal('SIGTERM');
    await exchange.exited;
    expect((await original.audit()).stdout).to.match(/^The books balance: [1-9]/);

    const put = await run('restore', restored.environment, backup);
    expect(put).to.deep.equal({ code: 0, stdout: `Restored to ${restored.environment.DATA_DIR}.\n`, stderr: '' });
    const again = await restored.start();
    const kept = new SandboxTraffic(restored);
    // What was still on its way when the backup was made is billed after the start, on one side after the other.
    const { supply } = await eventually(
      'the books of what was restored',
      async () => {
        const books = await kept.books();
        const { supply, demand } = books;
        const isWhole = supply.impressions >= before && supply.impressions === demand.impressions;
        return isWhole && Math.abs(supply.cents - demand.cents) < 1e-6 ? books : null;
      },
      BOOKS,
    );
    expect(supply.impressions).to.be.within(before, after + traffic.unanswered + 4);
    again.signal('SIGTERM');
    await again.exited;
    const audited = await restored.audit();
    expect(audited.stdout, audited.stderr).to.match(/^The books balance: [1-9]/);
  });

  it('refuse what is no whole backup, what is not empty and what is not theirs, and write nothing then', async () => {
    const first = await original.start();
    first.signal('SIGTERM');
    await first.exited;
    const backup = join(original.folder, 'backup');
    const { DATA_DIR } = original.environment;
    expect(await run('backup', restored.environment, backup)).to.include({
      ...{ code: 2, stdout: '' },
      stderr: `There is no backup: no exchange has kept data in ${restored.environment.DATA_DIR} (DATA_DIR)\n`,
    });
    const servers = { REDIS_URL: 'redis://127.0.0.1:1', MONGODB_URL: 'mongodb://127.0.0.1:1/x' };
    expect((await run('backup', { ...original.environment, ...servers }, backup)).stderr).to.match(
      /^There is no backup: an exchange on Redis or MongoDB is backed up by their own tools, .*docs\/backup\.md.*\n$/,
    );
    expect((await run('backup', original.environment, DATA_DIR!)).stderr).to.match(
      /^There is no backup: .* is not empty/,
    );
    expect(await run('backup', original.environment, backup)).to.include({ code: 0, stderr: '' });
    expect(await readdir(backup)).not.to.include('secret-key');

    expect((await run('restore', original.environment, backup)).stderr).to.match(
      /^Nothing was restored: .* is not empty/,
    );
    const put = await run('restore', restored.environment, backup);
    expect(put.code, put.stderr).to.equal(0);
    expect(put.stdout).to.match(/\nPut the exchange's secret-key \(mode 0600\) into /);
    const withoutIt = restored.run();
    expect(await withoutIt.exited).to.be.above(0);
    expect(withoutIt.stderr + withoutIt.stdout).to.include('The master secret of this exchange is missing');
    await rm(join(backup, 'backup.json'));
    await rm(restored.environment.DATA_DIR!, { recursive: true });
    expect((await run('restore', restored.environment, backup)).stderr).to.match(
      /^Nothing was restored: .* is no whole backup: backup\.json, which is written last, is not in it\n$/,
    );
    expect(await readFile(join(DATA_DIR!, 'secret-key'), 'utf8')).to.match(/\S{32}/);
  });

  it('refuse a backup that lacks a file, or has one that was cut off or changed, and write nothing then', async () => {
    const first = await original.start();
    first.signal('SIGTERM');
    await first.exited;
    const whole = join(original.folder, 'backup');
    expect(await run('backup', original.environment, whole, '--with-secret-key')).to.include({ code: 0, stderr: '' });
    const manifest = JSON.parse(await readFile(join(whole, 'backup.json'), 'utf8'));
    const data = await stat(join(whole, 'exchange.mdb'));
    expect(manifest.files['exchange.mdb'].bytes).to.equal(data.size);
    expect(manifest.files['secret-key']).to.have.all.keys('bytes', 'sha256');
    const spoiled = join(original.folder, 'spoiled');
    const { files: _, ...older } = manifest;
    const ofOlder = () => writeFile(join(spoiled, 'backup.json'), JSON.stringify(older));
    const cases: readonly (readonly [spoil: () => Promise<unknown>, why: string])[] = [
      [() => rm(join(spoiled, 'exchange.mdb')), 'exchange.mdb is not in it'],
      [() => rm(join(spoiled, 'secret-key')), 'secret-key is not in it'],
      [() => truncate(join(spoiled, 'exchange.mdb'), 4096), `exchange.mdb has 4096 bytes instead of ${data.size}`],
      [
        () => writeFile(join(spoiled, 'secret-key'), 'x'.repeat(manifest.files['secret-key'].bytes)),
        'secret-key is not what was written: its SHA-256 differs',
      ],
      [() => truncate(join(spoiled, 'backup.json'), 20), 'backup.json is cut off, or no JSON'],
      [() => ofOlder().then(() => rm(join(spoiled, 'exchange.mdb'))), 'exchange.mdb is not in it'],
      [() => ofOlder().then(() => rm(join(spoiled, 'secret-key'))), 'secret-key is not in it'],
      [() => ofOlder().then(() => truncate(join(spoiled, 'exchange.mdb'))), 'exchange.mdb is empty'],
    ];
    for (const [spoil, why] of cases) {
      await cp(whole, spoiled, { recursive: true });
      await spoil();
      expect(await run('restore', restored.environment, spoiled), why).to.deep.equal({
        ...{ code: 2, stdout: '' },
        stderr: `Nothing was restored: ${spoiled} is no whole backup: ${why}\n`,
      });
      expect(existsSync(restored.environment.DATA_DIR!), why).to.equal(false);
      await rm(spoiled, { recursive: true });
    }
    await cp(whole, spoiled, { recursive: true });
    await ofOlder();
    expect((await run('restore', restored.environment, spoiled)).code, 'a whole one of an older release').to.equal(0);
    expect(await readdir(restored.environment.DATA_DIR!)).to.include.members(['exchange.mdb', 'secret-key']);
  });

  it('leave no data file that an exchange would open where a restore is killed before all of it is written', async () => {
    const first = await original.start();
    first.signal('SIGTERM');
    await first.exited;
    const backup = join(original.folder, 'backup');
    expect(await run('backup', original.environment, backup)).to.include({ code: 0, stderr: '' });
    const killed = { ...restored.environment, NODE_OPTIONS: `--import=${KILLED_WITHIN_COPY}` };
    await run('restore', killed, backup);
    const left = await readdir(restored.environment.DATA_DIR!);
    expect(left).to.include('exchange.mdb.restoring').and.not.include('exchange.mdb');
  });

  it('say that the key is to be put back where it was asked for and is in no file, and copy no folder into itself', async () => {
    const first = await original.start();
    first.signal('SIGTERM');
    await first.exited;
    const { DATA_DIR } = original.environment;
    await rm(join(DATA_DIR!, 'secret-key'));
    const backup = join(original.folder, 'backup');
    expect(await run('backup', original.environment, backup, '--with-secret-key')).to.include({ code: 0, stderr: '' });
    const put = await run('restore', restored.environment, backup);
    expect(put.code, put.stderr).to.equal(0);
    expect(put.stdout).to.match(/\nPut the exchange's secret-key \(mode 0600\) into /);
    const archive = { ARCHIVE_DIR: join(original.folder, 'archive') };
    const within = join(archive.ARCHIVE_DIR, 'backup');
    expect(await run('backup', { ...original.environment, ...archive }, within)).to.deep.equal({
      ...{ code: 2, stdout: '' },
      stderr: `There is no backup: ${within} is within ${archive.ARCHIVE_DIR}, which is backed up itself\n`,
    });
  });
});

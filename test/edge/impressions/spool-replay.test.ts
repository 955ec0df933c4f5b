import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ImpressionSpool } from '#edge/impressions/spool';
import { SpoolReplay } from '#edge/impressions/spool-replay';
import { START } from '#runtime/ports/position';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { spooledImpression } from './spooled-impression.ts';

/** Still in its window. */
function fresh(id: string) {
  const impression = spooledImpression(id);
  return { ...impression, entry: { ...impression.entry, expiresAtMs: Date.now() + 60_000 } };
}

describe('the replay of a spool', () => {
  let folder: string;
  let spoolFolder: string;
  let embedded: Embedded;
  /** Each impression in its own file. */
  let spool: ImpressionSpool;
  let replay: SpoolReplay;
  /** What was told of each impression: its id, and its outcome. */
  let told: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'replay-'));
    spoolFolder = join(folder, 'spool');
    embedded = await openEmbedded({ folder: join(folder, 'log'), partitions: 8, clock: systemClock });
    spool = new ImpressionSpool({ folder: spoolFolder, maxFileBytes: 1 });
    told = [];
    replay = new SpoolReplay(embedded.log.log, spool, ({ entry }, outcome) => told.push(`${entry.id} ${outcome}`));
  });

  afterEach(async () => {
    await spool.close();
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  });

  const nothing = { impressions: 0, damagedLines: 0, foreign: 0, failure: null };

  it('bills what can be read of a damaged file, and keeps the file for people to look at', async () => {
    const whole = new ImpressionSpool({ folder: spoolFolder });
    for (const id of ['first', 'damaged', 'last']) await whole.append(fresh(id));
    const [name] = await whole.files();
    const path = join(spoolFolder, name!);
    const damaged = (await readFile(path, 'utf8')).replace('"damaged"', '"damageD"');
    await writeFile(path, damaged);

    expect(await replay.run()).to.deep.equal({ ...nothing, impressions: 2, damagedLines: 1 });
    expect(await replay.run()).to.deep.equal(nothing);
    expect(told).to.deep.equal(['first appended', 'last appended']);
    const everywhere = new Map(Array.from({ length: 8 }, (_, partition) => [partition, START]));
    expect([...(await embedded.log.log.read(everywhere, 10, 0)).values()].flat()).to.have.length(2);

    const [kept, ...others] = await readdir(spoolFolder);
    expect(others).to.deep.equal([]);
    expect(await readFile(join(spoolFolder, kept!), 'utf8')).to.equal(damaged);
  });

  it('bills newer files while one cannot be read, and that one when it can', async () => {
    for (const id of ['unreadable', 'newer']) await spool.append(fresh(id));
    const [oldest] = await spool.files();
    const path = join(spoolFolder, oldest!);
    await rename(path, join(folder, 'meanwhile'));
    await mkdir(path);

    const { failure, ...totals } = await replay.run();
    expect(totals).to.include({ impressions: 1 });
    expect(failure?.file).to.equal(oldest);
    expect(failure?.error).to.include({ code: 'EISDIR' });

    await rmdir(path);
    await rename(join(folder, 'meanwhile'), path);
    expect(await replay.run()).to.deep.equal({ ...nothing, impressions: 1 });
    expect(told).to.deep.equal(['newer appended', 'unreadable appended']);
    expect(await spool.files()).to.deep.equal([]);
  });

  it('bills newer files while one that came too late cannot be kept, and counts that one when it is', async () => {
    await spool.append(spooledImpression('late'));
    await spool.append(fresh('newer'));
    const tooLate = join(spoolFolder, 'too-late.log');
    await mkdir(tooLate);
    for (let run = 0; run < 2; run++) expect((await replay.run()).failure?.error).to.include({ code: 'EISDIR' });
    expect(told).to.deep.equal(['newer appended']);

    await rmdir(tooLate);
    expect(await replay.run()).to.deep.equal({ ...nothing, impressions: 1 });
    expect(told).to.deep.equal(['newer appended', 'late expired']);
    expect(await readdir(spoolFolder)).to.deep.equal(['too-late.log']);
  });

  it('removes a file that could not be removed when it was replayed', async () => {
    let failures = 1;
    class StuckSpool extends ImpressionSpool {
      override async remove(file: string): Promise<void> {
        if (failures-- > 0) throw new Error('the disk takes no changes');
        return super.remove(file);
      }
    }
    const stuck = new StuckSpool({ folder: spoolFolder });
    await stuck.append(fresh('replayed'));
    replay = new SpoolReplay(embedded.log.log, stuck, ({ entry }, outcome) => told.push(`${entry.id} ${outcome}`));
    expect((await replay.run()).failure?.error).to.include({ message: 'the disk takes no changes' });
    expect(await replay.run()).to.deep.equal(nothing);
    expect(told).to.deep.equal(['replayed appended']);
    expect(await readdir(spoolFolder)).to.deep.equal([]);
  });
});

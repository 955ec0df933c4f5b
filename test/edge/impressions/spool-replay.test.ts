import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ImpressionSpool } from '#edge/impressions/spool';
import { SpoolReplay } from '#edge/impressions/spool-replay';
import { START } from '#runtime/ports/position';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { spooledImpression } from './spooled-impression.ts';

/** Still in its window. */
function fresh(id: string) {
  const impression = spooledImpression(id);
  return { ...impression, entry: { ...impression.entry, expiresAtMs: Date.now() + 60_000 } };
}

describe('the replay of a spool', () => {
  it('bills what can be read of a damaged file, and keeps the file for people to look at', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'replay-'));
    const embedded = await openEmbedded({ folder: join(folder, 'log'), partitions: 8, clock: systemClock });
    try {
      const spoolFolder = join(folder, 'spool');
      const spool = new ImpressionSpool({ folder: spoolFolder });
      for (const id of ['first', 'damaged', 'last']) await spool.append(fresh(id));
      const [name] = await spool.files();
      const path = join(spoolFolder, name!);
      const damaged = (await readFile(path, 'utf8')).replace('"damaged"', '"damageD"');
      await writeFile(path, damaged);

      const billed: string[] = [];
      const replay = new SpoolReplay(embedded.log.log, spool, ({ entry }) => billed.push(entry.id));
      expect(await replay.run()).to.deep.equal({ impressions: 2, damagedLines: 1, foreign: 0 });
      expect(await replay.run()).to.deep.equal({ impressions: 0, damagedLines: 0, foreign: 0 });
      expect(billed).to.deep.equal(['first', 'last']);
      const everywhere = new Map(Array.from({ length: 8 }, (_, partition) => [partition, START]));
      expect([...(await embedded.log.log.read(everywhere, 10, 0)).values()].flat()).to.have.length(2);

      const [kept, ...others] = await readdir(spoolFolder);
      expect(others).to.deep.equal([]);
      expect(await readFile(join(spoolFolder, kept!), 'utf8')).to.equal(damaged);
    } finally {
      await embedded.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

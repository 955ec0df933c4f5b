import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { eventually } from '../../support/eventually.ts';
import { IngestHarness } from './ingest-harness.ts';

describe('an edge that starts while its spool cannot be read', () => {
  let folder: string;
  let embedded: Embedded;
  let edge: IngestHarness;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'unreadable-'));
    embedded = await openEmbedded({ folder, partitions: 4, clock: systemClock });
    edge = await IngestHarness.start(embedded.log.log);
    edge.log.line = 'cut';
    expect((await edge.call(edge.pixel())).status).to.equal(200);
    await edge.stopEdge();
    edge.log.line = 'open';
  });

  afterEach(async () => {
    await edge.close();
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** What is at `path` gives way to what cannot be read as it should be, until the edge has started. */
  async function startWithout(path: string, inItsPlace: (path: string) => Promise<unknown>): Promise<void> {
    const elsewhere = join(folder, 'elsewhere');
    await rename(path, elsewhere);
    await inItsPlace(path);
    await edge.startEdge();
    expect(await edge.logged(), 'at first').to.deep.equal([]);
    await rm(path, { recursive: true });
    await rename(elsewhere, path);
  }

  async function billsWhatWasSpooled(): Promise<void> {
    await eventually('the impression to be billed', async () => (await edge.logged()).length === 1);
    await eventually('the spool to be empty', async () => (await readdir(edge.spoolFolder)).length === 0);
    expect(await edge.outcomes()).to.include({ 'replayed-billed': 1 });
  }

  it('bills what is in a file once that can be read', async () => {
    const [file] = await readdir(edge.spoolFolder);
    await startWithout(join(edge.spoolFolder, file!), (path) => mkdir(path));
    await billsWhatWasSpooled();
  });

  it('bills what is in the folder once that can be listed', async () => {
    await startWithout(edge.spoolFolder, (path) => writeFile(path, ''));
    await billsWhatWasSpooled();
  });
});

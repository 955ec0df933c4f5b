import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { eventually } from '../../support/eventually.ts';
import { IngestHarness } from './ingest-harness.ts';

describe('an edge that stops while it replays its spool', () => {
  let folder: string;
  let embedded: Embedded;
  let edge: IngestHarness;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stopped-'));
    embedded = await openEmbedded({ folder, partitions: 4, clock: systemClock });
    edge = await IngestHarness.start(embedded.log.log);
  });

  afterEach(async () => {
    await edge.close();
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('waits for the batch under way alone, and replays the rest after its next start', async () => {
    edge.log.line = 'cut';
    // Each run of the edge begins a file.
    for (let run = 0; run < 3; run++) {
      expect((await edge.call(edge.pixel())).status).to.equal(200);
      await edge.stopEdge();
      if (run < 2) await edge.startEdge();
    }
    expect(await readdir(edge.spoolFolder)).to.have.length(3);

    let release = () => {};
    edge.log.held = new Promise((resolve) => {
      release = resolve;
    });
    edge.log.line = 'open';
    const starting = edge.startEdge();
    await eventually('the replay to send a batch', () => edge.log.onceCalls.length > 0);
    const closing = edge.ingest.close();
    release();
    await closing;
    expect(await readdir(edge.spoolFolder), 'of the files that were not begun').to.have.length(2);
    expect(await edge.logged()).to.have.length(1);

    await starting;
    await edge.stopEdge();
    await edge.startEdge();
    expect(await readdir(edge.spoolFolder)).to.deep.equal([]);
    expect(await edge.logged()).to.have.length(3);
    expect(await edge.outcomes()).to.include({ 'replayed-billed': 3 });
  });
});

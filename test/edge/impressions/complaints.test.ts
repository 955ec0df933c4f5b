import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { IngestHarness } from './ingest-harness.ts';

describe('an edge that can store no impression', () => {
  let folder: string;
  let embedded: Embedded;
  let edge: IngestHarness;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'refused-'));
    embedded = await openEmbedded({ folder, partitions: 4, clock: systemClock });
    edge = await IngestHarness.start(embedded.log.log);
  });

  afterEach(async () => {
    await edge.close();
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('answers each pixel 503, and logs one line for all of them', async () => {
    edge.log.line = 'cut';
    await edge.breakSpool();
    for (let pixel = 0; pixel < 20; pixel++) expect((await edge.call(edge.pixel())).status).to.equal(503);
    expect(edge.errors).to.deep.equal(['an impression could be recorded neither in the log nor in the spool']);
  });
});

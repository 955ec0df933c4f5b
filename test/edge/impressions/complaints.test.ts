import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ImpressionSpool } from '#edge/impressions/spool';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { IngestHarness } from './ingest-harness.ts';
import { spooledImpression } from './spooled-impression.ts';

describe('an edge that cannot bill what was shown', () => {
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

  it('logs one line for all impressions of its spool that come too late, and keeps each', async () => {
    await edge.stopEdge();
    const spool = new ImpressionSpool({ folder: edge.spoolFolder });
    for (let nth = 0; nth < 20; nth++) await spool.append(spooledImpression(`late-${nth}`));
    await spool.close();
    await edge.startEdge();
    expect(edge.errors).to.deep.equal(['a spooled impression came too late for the log']);
    const kept = await readFile(join(edge.spoolFolder, 'too-late.log'), 'utf8');
    expect(kept.trimEnd().split('\n')).to.have.length(20);
  });

  it('answers each pixel 503, and logs one line for all of them', async () => {
    edge.log.line = 'cut';
    await edge.breakSpool();
    for (let pixel = 0; pixel < 20; pixel++) expect((await edge.call(edge.pixel())).status).to.equal(503);
    expect(edge.errors).to.deep.equal(['an impression could be recorded neither in the log nor in the spool']);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { RegionalImpressions } from '#edge/regions/regional-impressions';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { InterruptedLog } from '../impressions/interrupted-log.ts';
import { spooledImpression } from '../impressions/spooled-impression.ts';

describe('marks that are set in a region', () => {
  let folder: string;
  let region: Embedded;
  let home: Embedded;
  let line: InterruptedLog;
  let impressions: RegionalImpressions;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'region-marks-'));
    region = await openEmbedded({ folder: join(folder, 'region'), partitions: 1, clock: systemClock });
    home = await openEmbedded({ folder: join(folder, 'home'), partitions: 1, clock: systemClock });
    line = new InterruptedLog(home.log.log);
    impressions = new RegionalImpressions(region.log.log, line, { identity: '0-a', writtenOff: null });
  });

  afterEach(async () => {
    await region.close();
    await home.close();
    await rm(folder, { recursive: true, force: true });
  });

  function impressionOf(id: string) {
    return { ...spooledImpression(id).entry, expiresAtMs: Date.now() + 60_000 };
  }
  function markOf(id: string) {
    return { id, bucketMs: impressionOf(id).bucketMs, mark: 'viewable' };
  }

  it('are told of while home cannot be reached, so that a retry for those at home loses none', async () => {
    await region.log.log.appendOnce(0, [impressionOf('of-the-region')]);
    await home.log.log.appendOnce(0, [impressionOf('of-home')]);
    const marks = [markOf('of-home'), markOf('of-the-region')];
    line.line = 'cut';
    expect(await impressions.markOnce(0, marks)).to.deep.equal(['unknown', 'marked']);
    line.line = 'open';
    expect(await impressions.markOnce(0, marks)).to.deep.equal(['marked', 'repeated']);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ImpressionSpool } from '#edge/impressions/spool';
import { SpoolReplay } from '#edge/impressions/spool-replay';
import { regionalEntryDecoder } from '#edge/regions/regional-entry';
import { RegionalImpressions } from '#edge/regions/regional-impressions';
import { encodeEnvelope } from '#runtime/node/envelope';
import type { IdempotentEntry } from '#runtime/ports/log';
import { START } from '#runtime/ports/position';
import { PartitionState } from '#runtime/simulator/partition-state';
import { spooledImpression } from '../impressions/spooled-impression.ts';

const HOUR_MS = 3_600_000;
const SOLD_AT_MS = 500 * HOUR_MS - 1;
const EXPIRES_AT_MS = SOLD_AT_MS + HOUR_MS;

describe('an impression that a region spooled', () => {
  let folder: string;
  let spool: ImpressionSpool;
  let home: PartitionState;
  const body = { id: 'a', region: 'home' };
  const entry: IdempotentEntry = {
    id: 'a',
    bucketMs: Math.floor(SOLD_AT_MS / HOUR_MS) * HOUR_MS,
    expiresAtMs: EXPIRES_AT_MS,
    payload: encodeEnvelope({ to: 'tally/0', type: 'impression', body }),
    noteBefore: 2,
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'region-spool-'));
    spool = new ImpressionSpool({ folder });
    home = new PartitionState(0);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** The spool is replayed into the log of a region, and what stands there comes home at `atMs`. */
  async function comesHome(atMs: number): Promise<void> {
    await spool.append({ ...spooledImpression('a'), entry });
    const inRegion: IdempotentEntry[] = [];
    const region = {
      partitions: 1,
      async appendOnce(_partition: number, entries: readonly IdempotentEntry[]) {
        inRegion.push(...entries);
        return entries.map(() => 'appended' as const);
      },
      markOnce: async () => [],
      tail: async () => ({ last: START, length: 0, appended: 0, nowMs: 0 }),
    };
    await new SpoolReplay(
      new RegionalImpressions(region, region, { identity: '0-a', writtenOff: null }),
      spool,
      () => {},
    ).run();
    const decode = regionalEntryDecoder('nyc');
    const entries = inRegion.map(({ payload }, index) => decode({ position: `${index + 1}-0`, payload }, 0));
    home.appendRelayed(atMs, 'nyc#0-a', { after: START, entries, throughMs: 0 });
  }

  it('is billed where it comes home within an hour of its window', async () => {
    await comesHome(EXPIRES_AT_MS + HOUR_MS - 1);
    expect(home.entries).to.have.lengthOf(1);
  });

  it('is not billed twice where its pixel was called at home too, and home has forgotten that', async () => {
    expect(home.appendOnce(SOLD_AT_MS, entry)).to.equal('appended');
    await comesHome(EXPIRES_AT_MS + HOUR_MS + 1);
    expect(home.entries).to.have.lengthOf(1);
    expect(home.tooLate(10)).to.have.lengthOf(1);
  });
});

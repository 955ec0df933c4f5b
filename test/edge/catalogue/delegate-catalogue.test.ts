import { expect } from 'chai';
import { DelegateCatalogue } from '#edge/catalogue/delegate-catalogue';
import type { ProjectionFollower, Replica } from '#runtime/actor/replica';
import { systemClock } from '#runtime/providers/system/system-clock';
import { makeCampaignProjection } from '../../support/campaign-projection.ts';
import { makeDspProjection } from '../../support/dsp-projection.ts';
import { eventually } from '../../support/eventually.ts';
import { MemoryReplica } from '../../support/memory-replica.ts';

/** As the replica does: one change after the other, waiting for each. */
class WaitingReplica extends MemoryReplica implements Replica {
  readonly #waiting = new Map<string, ProjectionFollower>();

  override follow(kind: string, follower: ProjectionFollower): void {
    this.#waiting.set(kind, follower);
  }

  async handOver(kind: string, views: Iterable<{ readonly id: string }>): Promise<void> {
    const follower = this.#waiting.get(kind)!;
    for (const view of views) {
      const takenIn = follower({ kind, id: view.id, projection: view });
      if (takenIn) await takenIn;
    }
  }
}

const VIEW = {
  request: { id: 'r', imp: [{ id: '1', banner: { w: 300, h: 250 } }], site: { id: 'p' } },
  imp: { id: '1', banner: { w: 300, h: 250 } },
  publisherGenre: null,
} as never;

/** The longest time, ms, that nobody else had a turn while `work` was under way. */
async function longestHold(work: Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let lastMs = performance.now();
  let over = false;
  const look = () => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    if (!over) setImmediate(look);
  };
  setImmediate(look);
  await work;
  over = true;
  return longestMs;
}

describe('the catalogue of delegates', () => {
  const match = (catalogue: DelegateCatalogue, sandbox = false) =>
    catalogue.match(VIEW, 'pool-1', sandbox, Date.now()).map(({ id }) => id);

  it('takes in thousands of campaigns without keeping anybody waiting', async function () {
    this.timeout(60_000);
    const replica = new WaitingReplica();
    const catalogue = new DelegateCatalogue(replica, systemClock);
    replica.put('dsp', makeDspProjection({ mode: 'delegate', endpointUrl: null }));
    const views = Array.from({ length: 5_000 }, (_, n) =>
      makeCampaignProjection('dsp-1', { id: `c${n}`, targeting: { countries: [n % 2 === 0 ? 'DE' : 'FR'] } }),
    );
    const startedMs = performance.now();
    const longestMs = await longestHold(replica.handOver('campaign', views));
    const tookMs = performance.now() - startedMs;
    expect(catalogue.size).to.equal(5_000);
    // One slice, a garbage collection and other processes; all at once it would be the whole time.
    expect(longestMs).to.be.below(Math.max(60, tookMs / 3));

    replica.put('dsp', makeDspProjection({ mode: 'delegate', endpointUrl: null, status: 'sandbox' }));
    expect(match(catalogue)).to.deep.equal([]);
  });

  it('does not bid with what it cannot read, and goes on with all else', async () => {
    const catalogued = (unreadable: object) => {
      const replica = new WaitingReplica();
      const catalogue = new DelegateCatalogue(replica, systemClock);
      replica.put('dsp', makeDspProjection({ mode: 'delegate', endpointUrl: null }));
      return { replica, catalogue, broken: { ...makeCampaignProjection('dsp-1', { id: 'a' }), ...unreadable } };
    };
    for (const unreadable of [{ rules: [null] }, { rules: null }, { campaign: null }]) {
      const { replica, catalogue, broken } = catalogued(unreadable);
      await replica.handOver('campaign', [
        makeCampaignProjection('dsp-1', { id: 'a' }),
        makeCampaignProjection('dsp-1', { id: 'b' }),
      ]);
      expect(match(catalogue).sort()).to.deep.equal(['a', 'b']);
      await replica.handOver('campaign', [broken]).catch(() => undefined);
      expect(match(catalogue), JSON.stringify(unreadable)).to.deep.equal(['b']);
      expect(catalogue.size).to.equal(1);
      replica.put('dsp', makeDspProjection({ mode: 'delegate', endpointUrl: null, status: 'sandbox' }));
      await eventually('the other to move', async () => match(catalogue, true).includes('b'));
      await replica.handOver('campaign', [makeCampaignProjection('dsp-1', { id: 'a' })]);
      expect(match(catalogue, true).sort()).to.deep.equal(['a', 'b']);
    }
  });

  it('keeps matching by what is true while campaigns move from one environment to the other', async () => {
    const replica = new MemoryReplica();
    const catalogue = new DelegateCatalogue(replica, systemClock);
    for (const id of ['a', 'b']) replica.put('campaign', makeCampaignProjection('dsp-1', { id }));
    expect(match(catalogue)).to.deep.equal([]);
    const become = async (status: 'active' | 'sandbox' | 'archived', live: string, sandbox: string) => {
      replica.put('dsp', makeDspProjection({ mode: 'delegate', endpointUrl: null, status }));
      // They move in slices, each in a turn of its own.
      await eventually(`campaigns that are ${status}`, () => {
        const matching = [match(catalogue), match(catalogue, true)].map((ids) => ids.sort().join());
        return matching[0] === live && matching[1] === sandbox;
      });
    };
    await become('active', 'a,b', '');
    await become('sandbox', '', 'a,b');
    await become('archived', '', '');
    await become('active', 'a,b', '');
    expect(catalogue.inPool('pool-1', false).map(({ id }) => id)).to.deep.equal(['dsp-1']);
    replica.remove('campaign', 'a');
    replica.remove('campaign', 'b');
    expect(catalogue.inPool('pool-1', false)).to.deep.equal([]);
  });
});

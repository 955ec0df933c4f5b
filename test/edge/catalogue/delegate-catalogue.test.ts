import { expect } from 'chai';
import { DelegateCatalogue } from '#edge/catalogue/delegate-catalogue';
import type { ProjectionFollower, Replica } from '#runtime/actor/replica';
import type { Clock } from '#runtime/ports/clock';
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

/** The most campaigns that were taken in, while `work` was under way, between two turns of other work. */
async function mostAtOnce(catalogue: DelegateCatalogue, work: Promise<unknown>): Promise<number> {
  let most = 0;
  let last = catalogue.size;
  let over = false;
  const look = () => {
    most = Math.max(most, catalogue.size - last);
    last = catalogue.size;
    if (!over) setImmediate(look);
  };
  setImmediate(look);
  await work;
  over = true;
  return most;
}

/** On which each campaign takes a tenth of a millisecond: it goes on whenever it is read. */
function laboriousClock(): Clock {
  let readings = 0;
  return { ...systemClock, monotonic: () => readings++ / 10 };
}

describe('the catalogue of delegates', () => {
  const match = (catalogue: DelegateCatalogue, sandbox = false) =>
    catalogue.match(VIEW, 'pool-1', sandbox, Date.now()).map(({ id }) => id);

  it('takes in thousands of campaigns without delaying other work', async () => {
    const replica = new WaitingReplica();
    const catalogue = new DelegateCatalogue(replica, laboriousClock());
    replica.put('dsp', makeDspProjection({ mode: 'delegate', endpointUrl: null }));
    const views = Array.from({ length: 5_000 }, (_, n) =>
      makeCampaignProjection('dsp-1', { id: `c${n}`, targeting: { countries: [n % 2 === 0 ? 'DE' : 'FR'] } }),
    );
    const most = await mostAtOnce(catalogue, replica.handOver('campaign', views));
    expect(catalogue.size).to.equal(5_000);
    // A slice is two milliseconds.
    expect(most).to.be.within(10, 40);

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

import { expect } from 'chai';
import { Bidder } from '#gateways/bidders/bidder';
import { DEFAULT_BIDDER_SETTINGS } from '#gateways/bidders/settings';
import { edgeShareOf, SharedCallRates } from '#gateways/bidders/shared-call-rates';
import { seededRandom } from '#runtime/node/seeded-random';
import type { Clock } from '#runtime/ports/clock';
import type { ExpiringSums } from '#runtime/ports/expiring-sums';
import { createMemoryCounters } from '#runtime/providers/memory/memory-counters';
import { makeDspProjection } from '../../support/dsp-projection.ts';

const LIMIT = 100;

/** Edges that share sums under a clock that the test moves; each wants a bidder so many times a second. */
class Edges {
  nowMs = Date.UTC(2026, 2, 14, 12);
  sumsAway = false;
  reads = 0;
  readonly #clock: Clock = { now: () => this.nowMs, monotonic: () => this.nowMs, after: () => () => undefined };
  readonly #counters = createMemoryCounters(this.#clock);
  readonly #sums: ExpiringSums = {
    add: (changes) => (this.sumsAway ? Promise.resolve(changes.map(() => false)) : this.#counters.sums.add(changes)),
    read: (keys) => {
      this.reads += 1;
      return this.sumsAway ? Promise.resolve(keys.map(() => null)) : this.#counters.sums.read(keys);
    },
  };
  readonly all: { readonly bidder: Bidder; readonly rates: SharedCallRates; wants: number; called: number }[] = [];

  join(wants: number, qpsLimit = LIMIT): void {
    const settings = { ...DEFAULT_BIDDER_SETTINGS, allowPrivateNetworks: true };
    const view = makeDspProjection({ endpointUrl: 'http://127.0.0.1:9/', qpsLimit });
    const bidder = new Bidder(view, settings, this.#clock, seededRandom(`edge ${this.all.length}`));
    const rates = new SharedCallRates({ bidders: { all: () => [bidder] }, sums: this.#sums, clock: this.#clock });
    this.all.push({ bidder, rates, wants, called: 0 });
  }

  /** Calls made in these seconds, by edge. */
  async run(seconds: number): Promise<number[]> {
    for (const edge of this.all) edge.called = 0;
    for (let second = 0; second < seconds; second++) {
      for (let part = 0; part < 100; part++) {
        this.nowMs += 10;
        for (const edge of this.all) {
          for (let call = 0; call < edge.wants / 100; call++) {
            if (typeof edge.bidder.admit(this.nowMs, 100) === 'number') edge.called += 1;
          }
        }
      }
      for (const { rates } of this.all) await rates.share();
    }
    return this.all.map(({ called }) => called / seconds);
  }

  async close(): Promise<void> {
    await this.#counters.close();
    for (const { bidder } of this.all) await bidder.close();
  }
}

describe('a limit of calls a second that edges share', () => {
  let edges: Edges;
  beforeEach(() => {
    edges = new Edges();
  });
  afterEach(() => edges.close());

  it('is divided by what each edge wants to call', async () => {
    edges.join(300);
    edges.join(100);
    await edges.run(10);
    const [busy, quiet] = (await edges.run(20)) as [number, number];
    expect(busy + quiet).to.be.within(LIMIT * 0.95, LIMIT * 1.03);
    expect(busy / quiet).to.be.within(2.7, 3.3);
  });

  it('goes to the edges that have the traffic, within seconds of its moving', async () => {
    edges.join(200);
    edges.join(0);
    await edges.run(10);
    edges.all[0]!.wants = 0;
    edges.all[1]!.wants = 200;
    await edges.run(6);
    const calls = await edges.run(20);
    expect(calls[0]).to.equal(0);
    expect(calls[1]).to.be.within(LIMIT * 0.95, LIMIT * 1.03);
  });

  it('keeps nothing back while all together want less', async () => {
    edges.join(100, 1_000);
    edges.join(100, 1_000);
    await edges.run(6);
    expect(await edges.run(10)).to.deep.equal([100, 100]);
  });

  it('stays as it was divided while the others cannot be asked', async () => {
    edges.join(300);
    edges.join(300);
    await edges.run(10);
    edges.sumsAway = true;
    const calls = await edges.run(30);
    expect(calls[0]! + calls[1]!).to.be.within(LIMIT * 0.9, LIMIT * 1.05);
  });

  it('costs nothing while no bidder is called', async () => {
    edges.join(0);
    await edges.run(10);
    expect(edges.reads).to.equal(0);
  });

  it('is never parted into more than there is', () => {
    for (const limit of [1, 100]) {
      for (const wanted of [
        [0, 0],
        [5, 5],
        [60, 60],
        [100, 0],
        [1_000, 1],
        [99, 0, 0],
      ]) {
        const total = wanted.reduce((sum, own) => sum + own, 0);
        const counted = wanted.filter((own) => own > 0 || total < limit);
        const parts = counted.map((own) => edgeShareOf(limit, own, total, wanted.length));
        expect(parts.reduce((sum, part) => sum + part, 0)).to.be.at.most(limit + 1e-9);
      }
    }
  });
});

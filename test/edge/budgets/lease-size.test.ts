import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { HeldBudget } from '#edge/budgets/held-budget';
import { CENT, DSP, LeasingEdge, LeasingWorld, settled } from './leasing.ts';

const MORNING = Date.UTC(2026, 2, 14, 9);

/** A lease of a daily budget of so many impressions at the usual price, before anything was sold. */
function heldBudget(impressions: number): HeldBudget {
  const limits = { dailyNanos: impressions * CENT, totalNanos: 0, sinceMs: MORNING, revision: 1 };
  return new HeldBudget({ id: 'dsp:dsp-1', holder: { scope: 'dsp', id: 'dsp-1' } as never, limits }, MORNING);
}

describe('the lease of the next window', () => {
  for (const earliestLeadMs of [undefined, 240_000]) {
    it(`is asked for from ${(earliestLeadMs ?? 30_000) / 1_000} to 5 s before it, by each budget at a time of its own`, () => {
      const limits = { dailyNanos: CENT, totalNanos: 0, sinceMs: MORNING, revision: 1 };
      const leads = Array.from({ length: 500 }, () => {
        const id = randomUUID();
        const limited = { id: `campaign:${id}`, holder: { scope: 'campaign', id } as never, limits };
        return new HeldBudget(limited, MORNING, earliestLeadMs).leadMs;
      });
      const mostMs = earliestLeadMs ?? 30_000;
      expect(Math.min(...leads)).to.be.within(5_000, 5_000 + mostMs / 10);
      expect(Math.max(...leads)).to.be.within(mostMs * 0.9, mostMs);
    });
  }
});

describe('the size of a lease request', () => {
  for (const [budget, wanted] of [
    [1, 4],
    [300, 4],
    [400, 4],
    [600, 6],
    [800, 8],
    [1_000_000, 8],
  ] as const)
    it(`is ${wanted} impressions of an idle budget of ${budget}`, () => {
      expect(heldBudget(budget).request('edge', 1, MORNING, true).wantNanos).to.equal(wanted * CENT);
    });

  it('is at least the price that was refused, whatever the bounds are', () => {
    const held = heldBudget(10);
    held.request('edge', 1, MORNING, true);
    held.onGrant(
      {
        ...{ number: 1, slotMs: MORNING, grantedNanos: 4 * CENT, unopened: false },
        ...{ freeTodayNanos: 6 * CENT, freeTotalNanos: null, closedSlots: [] },
      },
      held.request('edge', 1, MORNING, true),
      MORNING,
    );
    expect(held.available(9 * CENT, MORNING)).to.equal(false);
    const { wantNanos, leastNanos } = held.request('edge', 2, MORNING, true);
    expect([wantNanos, leastNanos]).to.deep.equal([9 * CENT, 9 * CENT]);
  });

  /** The lease of a budget that has answered: what was granted in all, and what it has free. */
  const answered = (held: HeldBudget, grantedNanos: number, freeTodayNanos: number) => {
    const request = held.request('edge', 1, MORNING, true);
    held.onGrant(
      {
        ...{ number: 1, slotMs: MORNING, grantedNanos, unopened: false },
        ...{ freeTodayNanos, freeTotalNanos: null, closedSlots: [] },
      },
      request,
      MORNING,
    );
    return request.leastNanos;
  };
  const availableTogether = (held: HeldBudget, imps: number) =>
    Array.from({ length: imps }, (_, before) => held.available(CENT, MORNING, before * CENT));

  it('is all that the imps of one request cost, where the budget has it', () => {
    const held = heldBudget(100);
    answered(held, 4 * CENT, 96 * CENT);
    expect(availableTogether(held, 6)).to.deep.equal([true, true, true, true, null, null]);
    expect(held.isDue(MORNING)).to.equal(true);
    expect(answered(held, 6 * CENT, 94 * CENT)).to.equal(6 * CENT);
    expect(availableTogether(held, 6)).to.deep.equal([true, true, true, true, true, true]);
    expect(held.request('edge', 2, MORNING, true).leastNanos).to.equal(1);
  });

  it('does not wait for imps that the budget cannot pay together, nor takes it for exhausted', () => {
    const held = heldBudget(5);
    answered(held, 4 * CENT, CENT);
    expect(availableTogether(held, 7)).to.deep.equal([true, true, true, true, null, false, false]);
    expect(held.exhaustion(MORNING)).to.equal(null);
    expect(answered(held, 5 * CENT, 0)).to.equal(5 * CENT);
    expect(availableTogether(held, 7)).to.deep.equal([true, true, true, true, true, false, false]);
    expect(held.request('edge', 2, MORNING, true).leastNanos).to.equal(1);
  });

  it('is known when an auction asks, not by its first imp that is short', async () => {
    const world = new LeasingWorld(MORNING, 100);
    const { leases } = new LeasingEdge(world);
    const imps = () =>
      Array.from({ length: 8 }, (_, before) =>
        leases.available(DSP, null, CENT, MORNING, new Map([[DSP, before * CENT]])),
      );
    expect(imps()).to.deep.equal(Array(8).fill(null));
    await settled();
    expect(imps()).to.deep.equal([...Array(4).fill(true), ...Array(4).fill(null)]);
    await settled();
    expect(imps()).to.deep.equal(Array(8).fill(true));
    expect(world.actors.asks).to.be.at.most(4);
  });

  for (const impressions of [1, 2, 3, 5, 8, 10])
    it(`lets three edges sell a budget of ${impressions} to its last impression`, async () => {
      const world = new LeasingWorld(MORNING, impressions);
      const edges = ['a', 'b', 'c'].map((name) => new LeasingEdge(world, { name }));
      let sold = 0;
      for (let round = 0; sold < impressions && round < 4_000; round++) {
        for (const edge of edges) if (edge.sell(CENT)) sold += 1;
        await settled();
        world.actors.nowMs += 100;
        if (round % 10 === 0) for (const edge of edges) edge.leases.tick();
      }
      expect(sold).to.equal(impressions);
    });
});

import { expect } from 'chai';
import { BUDGET_WINDOW_MS, budgetWindowStart } from '#actors/budget/budget-window';
import { CENT, DSP, LeasingEdge, LeasingWorld, settled } from './leasing.ts';

const DAY_MS = 86_400_000;
const MORNING = Date.UTC(2026, 2, 14, 9);
const BUDGET_ID = `dsp:${DSP}`;
/** Of 100 cents, of which 95% can be sold, once one is. */
const LEFT = 94;

describe('budgets that an edge leases', () => {
  /** Sells until nothing goes any more, renewing as it goes; resolves with how many. */
  const sellOut = async (
    edge: LeasingEdge,
    world: LeasingWorld,
    campaign = null as Parameters<LeasingEdge['sell']>[1],
  ) => {
    let sold = 0;
    for (let inVain = 0; inVain < 40; ) {
      if (edge.sell(CENT, campaign)) {
        sold += 1;
        inVain = 0;
      } else inVain += 1;
      await settled();
      if (inVain > 0) {
        world.actors.nowMs += 500;
        edge.leases.tick();
      }
    }
    return sold;
  };

  it('are ignored for a demand source without a budget', () => {
    const world = new LeasingWorld(MORNING, 0);
    const edge = new LeasingEdge(world);
    expect(edge.leases.available(DSP, null, CENT, MORNING)).to.equal(true);
    expect(edge.leases.reserve(DSP, null, CENT, MORNING)).to.equal(true);
    expect(edge.leases.pendingLeases()).to.equal(null);
    expect([edge.leases.holders, world.actors.asks]).to.deep.equal([0, 0]);
  });

  it('are unknown until they are leased, which may be waited for', async () => {
    const world = new LeasingWorld(MORNING, 100);
    const { leases } = new LeasingEdge(world);
    expect(leases.available(DSP, null, CENT, MORNING)).to.equal(null);
    expect(leases.reserve(DSP, null, CENT, MORNING), 'nothing is sold on what is not known').to.equal(false);
    await leases.pendingLeases();
    expect(leases.available(DSP, null, CENT, MORNING)).to.equal(true);
    expect(leases.pendingLeases()).to.equal(null);
  });

  it('are spent to the last impression, and no further', async () => {
    const world = new LeasingWorld(MORNING, 300);
    const edge = new LeasingEdge(world);
    expect(await sellOut(edge, world)).to.equal(300);
    expect(edge.leases.available(DSP, null, 0, world.actors.nowMs), 'it is not even asked').to.equal(false);
    expect(edge.short.length).to.be.above(0);
  });

  it('are checked until they are known to be spent, when no auction asks for them any more', async () => {
    const world = new LeasingWorld(MORNING, 4);
    const edge = new LeasingEdge(world);
    for (let sold = 0; sold < 4; ) {
      if (edge.sell(CENT)) sold += 1;
      await settled();
    }
    const lookedAt = async (ms: number) => {
      edge.short.length = 0;
      world.actors.nowMs += ms;
      edge.leases.tick();
      await settled();
      return edge.short.length;
    };
    expect(await lookedAt(1_000), 'nobody has been refused').to.equal(1);
    expect(await lookedAt(60_000), 'it is idle, and its leases are given back').to.equal(1);
    expect(await lookedAt(600_000)).to.equal(1);
    expect(edge.leases.holders).to.equal(1);
    edge.short[0]!.acknowledgeExhausted();
    expect(await lookedAt(1_000)).to.equal(0);
    expect(edge.leases.holders, 'forgotten').to.equal(0);
  });

  for (const [budgets, free] of [
    [1_000, 1_000 * LEFT],
    [1_001, 0],
  ] as const) {
    const until = free > 0 ? 'soon' : 'after two windows';
    it(`go back ${until} where nobody asks for them, at an edge with ${budgets.toLocaleString('en-US')}`, async () => {
      const world = new LeasingWorld(MORNING, 0);
      const edge = new LeasingEdge(world);
      const campaigns = Array.from({ length: budgets }, (_, n) => ({
        ...world.campaign({ daily_cents: 100 }),
        id: `campaign-${n}`,
      }));
      const passes = async (ms: number) => {
        for (let tick = 0; tick < 5; tick++) {
          world.actors.nowMs += ms / 5;
          edge.leases.tick();
          await settled();
        }
      };
      for (let sold = 0; sold < budgets; ) {
        for (const campaign of campaigns.slice(sold, sold + 200)) edge.sell(CENT, campaign);
        await settled();
        for (const campaign of campaigns.slice(sold, sold + 200)) expect(edge.sell(CENT, campaign)).to.equal(true);
        sold += 200;
      }
      const returned = () => {
        const ids = [...world.actors.states.keys()].filter((id) => id.startsWith('campaign:'));
        const cents = ids.map((id) => world.actors.freeTodayNanos(id)! / CENT);
        return cents.filter((each) => each === LEFT).reduce((sum, each) => sum + each, 0);
      };
      await passes(60_000);
      expect(returned()).to.equal(free);
      await passes(2 * BUDGET_WINDOW_MS);
      await passes(5_000);
      expect(returned()).to.equal(budgets * LEFT);
    });
  }

  it('are not looked at while there is more, nor when what was sold can be shown no more', async () => {
    const world = new LeasingWorld(MORNING, 400);
    const edge = new LeasingEdge(world);
    for (let sold = 0; sold < 4; ) {
      if (edge.sell(CENT)) sold += 1;
      await settled();
    }
    const tick = async (ms: number) => {
      world.actors.nowMs += ms;
      edge.leases.tick();
      await settled();
    };
    await tick(1_000);
    expect(edge.short).to.deep.equal([]);
    expect(await sellOut(edge, world)).to.equal(396);
    await tick(1_000);
    expect(edge.leases.holders).to.equal(1);
    await tick(3_700_000);
    await tick(1_000);
    expect(edge.leases.holders, 'forgotten').to.equal(0);
  });

  it('of a campaign are 95 per cent of its day, and all of its total', async () => {
    const world = new LeasingWorld(MORNING, 0);
    expect(await sellOut(new LeasingEdge(world), world, world.campaign({ daily_cents: 100 }))).to.equal(95);
    const other = new LeasingWorld(MORNING, 0);
    expect(await sellOut(new LeasingEdge(other), other, other.campaign({ total_cents: 100 }))).to.equal(100);
  });

  it('pay both or neither: a demand source’s and its campaign’s', async () => {
    const world = new LeasingWorld(MORNING, 50);
    const campaign = world.campaign({ total_cents: 80 });
    const edge = new LeasingEdge(world);
    expect(await sellOut(edge, world, campaign)).to.equal(50);
    world.limit(1_000);
    expect(await sellOut(edge, world, campaign), 'the rest of the campaign’s').to.equal(30);
  });

  it('are sold from again where a sale was none', async () => {
    const world = new LeasingWorld(MORNING, 40);
    const edge = new LeasingEdge(world);
    expect(await sellOut(edge, world)).to.equal(40);
    edge.unsell(CENT);
    expect(await sellOut(edge, world)).to.equal(1);
  });

  it('are shared: each edge that asks gets some of it, and all of it is spent', async () => {
    const world = new LeasingWorld(MORNING, 400);
    const edges = ['fra', 'nyc', 'lon'].map((name) => new LeasingEdge(world, { name }));
    for (let inVain = 0; inVain < 60; ) {
      const sold = edges.filter((edge) => edge.sell(CENT)).length;
      inVain = sold > 0 ? 0 : inVain + 1;
      await settled();
      if (sold === 0) {
        world.actors.nowMs += 500;
        for (const edge of edges) edge.leases.tick();
      }
    }
    const shares = edges.map((edge) => edge.soldInAll() / CENT);
    const all = shares.reduce((sum, share) => sum + share, 0);
    expect(all, String(shares)).to.be.within(0.97 * 400, 400);
    for (const share of shares) expect(share, String(shares)).to.be.above(400 / 6);
  });

  it('go on from what they have while the log is away, and then are asked for again', async () => {
    const world = new LeasingWorld(MORNING, 10_000);
    const edge = new LeasingEdge(world);
    edge.sell(CENT);
    await settled();
    world.actors.fate = () => 'lost';
    let sold = 0;
    while (edge.sell(CENT)) sold += 1;
    await settled();
    expect(sold).to.be.above(3);
    expect(edge.leases.failures).to.be.above(0);
    world.actors.fate = () => 'answered';
    world.actors.nowMs += 1_500;
    edge.leases.tick();
    await settled();
    expect(edge.sell(CENT)).to.equal(true);
  });

  it('of the next window are leased before it begins', async () => {
    const world = new LeasingWorld(MORNING, 10_000);
    const edge = new LeasingEdge(world);
    edge.sell(CENT);
    await settled();
    const nextMs = budgetWindowStart(MORNING) + BUDGET_WINDOW_MS;
    for (; world.actors.nowMs < nextMs; world.actors.nowMs += 1_000) {
      edge.leases.available(DSP, null, CENT, world.actors.nowMs);
      edge.leases.tick();
      await settled();
    }
    world.actors.nowMs = nextMs;
    expect(edge.leases.available(DSP, null, CENT, nextMs), 'at once').to.equal(true);
  });

  it('of a window are closed some seconds after its end, and what was not sold is free again', async () => {
    const world = new LeasingWorld(MORNING, 100);
    const edge = new LeasingEdge(world);
    edge.sell(CENT);
    await settled();
    edge.sell(CENT);
    const slotMs = budgetWindowStart(MORNING);
    expect(edge.leases.reserve(DSP, null, CENT, slotMs + BUDGET_WINDOW_MS - 1), 'an auction that began in it').to.equal(
      true,
    );
    await settled();
    world.actors.nowMs = slotMs + BUDGET_WINDOW_MS + 5_000;
    edge.leases.tick();
    await settled();
    expect(edge.leases.reserve(DSP, null, CENT, slotMs + BUDGET_WINDOW_MS - 1)).to.equal(false);
    const slot = world.actors.states.get(BUDGET_ID)!.slots.find((each) => each.slotMs === slotMs);
    expect(slot).to.deep.include({ closedNanos: 2 * CENT, grants: [] });
  });

  it('are returned by an edge without auctions, and by one that stops', async () => {
    for (const end of ['idle', 'stop']) {
      const world = new LeasingWorld(MORNING, 100);
      const edge = new LeasingEdge(world);
      edge.sell(CENT);
      await settled();
      expect(edge.sell(CENT)).to.equal(true);
      if (end === 'stop') await edge.leases.close();
      else world.actors.nowMs += 21_000;
      edge.leases.tick();
      await settled();
      expect(world.actors.states.get(BUDGET_ID)!.slots, end).to.deep.equal([
        { slotMs: budgetWindowStart(MORNING), seededNanos: 0, closedNanos: CENT, grants: [] },
      ]);
    }
  });

  it('are not had by an edge that stops while its budget is being opened', async () => {
    const world = new LeasingWorld(MORNING, 40);
    const edge = new LeasingEdge(world);
    let stopped: Promise<void> | null = null;
    world.actors.heard = (_id, type) => {
      if (type === 'open') stopped = edge.leases.close();
    };
    edge.sell(CENT);
    await settled();
    await stopped;
    expect(stopped).to.not.equal(null);
    expect(world.actors.freeTodayNanos(BUDGET_ID)).to.equal(40 * CENT);
  });

  it('can be had again when they were given back, closed and forgotten', async () => {
    const world = new LeasingWorld(MORNING, 100);
    const edge = new LeasingEdge(world);
    for (let round = 1; round <= 3; round++) {
      edge.sell(CENT);
      await settled();
      expect(edge.sell(CENT), `round ${round}`).to.equal(true);
      await settled();
      for (let second = 0; second < 3; second++) {
        world.actors.nowMs += 21_000;
        edge.leases.tick();
        await settled();
      }
      expect(edge.leases.holders, 'forgotten').to.equal(0);
    }
    expect(edge.soldInAll() / CENT).to.equal(3);
  });

  it('can be leased again in a window in which they were returned', async () => {
    const world = new LeasingWorld(MORNING, 30);
    const edge = new LeasingEdge(world);
    const before = await sellOut(edge, world);
    world.limit(40);
    for (let n = 0; n < 5; n++) edge.sell(CENT);
    world.actors.nowMs += 21_000;
    edge.leases.tick();
    await settled();
    expect(before).to.equal(30);
    await sellOut(edge, world);
    expect(edge.soldInAll() / CENT).to.equal(40);
  });

  it('hold from now on when they become lower', async () => {
    const world = new LeasingWorld(MORNING, 10_000);
    const edge = new LeasingEdge(world);
    edge.sell(CENT);
    await settled();
    for (let n = 0; n < 5; n++) edge.sell(CENT);
    world.limit(7);
    await sellOut(edge, world);
    expect(edge.soldInAll() / CENT).to.equal(7);
  });

  it('begin anew at midnight UTC, at an edge whose clock is ahead too', async () => {
    const midnightMs = budgetWindowStart(MORNING) - (MORNING % DAY_MS) + DAY_MS;
    const world = new LeasingWorld(midnightMs - 60_000, 20);
    const edges = [
      new LeasingEdge(world, { name: 'on time' }),
      new LeasingEdge(world, { name: 'ahead', skewMs: 45_000 }),
    ];
    for (; world.actors.nowMs < midnightMs + 60_000; world.actors.nowMs += 250) {
      for (const edge of edges) {
        for (let n = 0; n < 3; n++) edge.sell(CENT);
        edge.leases.tick();
      }
      await settled();
    }
    for (const day of ['2026-03-14', '2026-03-15']) {
      const sold = edges.reduce((sum, { soldNanos }) => sum + (soldNanos.get(day) ?? 0), 0) / CENT;
      expect(sold, day).to.be.within(19, 20);
    }
  });

  it('cost an idle edge nothing, and 10,000 holders some milliseconds a second', async () => {
    const world = new LeasingWorld(MORNING, 0);
    const edge = new LeasingEdge(world);
    const kept = world.campaign({ total_cents: 1_000_000 });
    const campaigns = Array.from({ length: 10_000 }, (_, n) => ({ ...kept, id: `campaign-${n}` }));
    for (const campaign of campaigns) edge.leases.available(DSP, campaign, CENT, world.actors.nowMs);
    while (campaigns.some((campaign) => edge.leases.available(DSP, campaign, CENT, world.actors.nowMs) === null))
      await settled();
    for (let second = 0; second < 5; second++) {
      edge.leases.tick();
      await settled();
    }
    const { asks } = world.actors;
    world.actors.nowMs += 1_000;
    const began = process.cpuUsage();
    edge.leases.tick();
    const { user, system } = process.cpuUsage(began);
    await settled();
    expect(edge.leases.holders).to.equal(10_000);
    expect(world.actors.asks - asks, 'requests').to.equal(0);
    expect((user + system) / 1_000, 'ms of the processor').to.be.below(100);
  });
});

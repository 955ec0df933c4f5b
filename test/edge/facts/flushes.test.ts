import { expect } from 'chai';
import type { FactCounts } from '#actors/ledger/messages';
import { Facts } from '#edge/facts/facts';
import { LogUnavailable } from '#runtime/actor/errors';
import type { Messenger } from '#runtime/actor/messenger';
import { MemoryReplica } from '../../support/memory-replica.ts';

const BEGIN_MS = Date.UTC(2026, 2, 14, 12, 0, 50);

interface Told {
  readonly id: string;
  readonly atMs: number;
  readonly body: FactCounts;
}

/** An edge's counts, a clock that a test turns, and a log that may be away. */
class FlushingEdge {
  nowMs = BEGIN_MS;
  told: Told[] = [];
  tried = 0;
  isAway = false;
  readonly away: boolean[] = [];
  observedAuctions = 0;
  #fire: (() => void) | null = null;
  readonly facts: Facts;

  constructor(inPhase = false) {
    const messenger: Messenger = {
      tell: async (_kind, id, _type, body) => {
        this.tried += 1;
        await Promise.resolve();
        if (this.isAway) throw new LogUnavailable('away');
        this.told.push({ id, atMs: this.nowMs, body: body as FactCounts });
      },
      ask: () => Promise.reject(new Error('facts ask nobody')),
    };
    this.facts = new Facts({
      messenger,
      inPhase,
      replica: new MemoryReplica(),
      clock: {
        now: () => this.nowMs,
        monotonic: () => this.nowMs,
        after: (_delayMs, fire) => {
          this.#fire = fire;
          return () => undefined;
        },
      },
      region: 'fra',
      observe: (sandbox) => (scope, _owner, counts) => {
        if (scope === 'publisher' && !sandbox) this.observedAuctions += counts.get('auctions') ?? 0;
      },
      onLogAway: (away) => this.away.push(away),
    });
    this.facts.start();
  }

  /** One second passes, with its flush. */
  async second(): Promise<Told[]> {
    const before = this.told.length;
    this.nowMs += 1_000;
    this.#fire!();
    // The next flush is due once this one has ended.
    this.#fire = null;
    while (this.#fire === null) await new Promise(setImmediate);
    return this.told.slice(before);
  }

  auctions(publishers: number, campaigns = 0): void {
    for (let number = 0; number < publishers; number++) this.facts.publisher(`p-${number}`, false).auctions += 1;
    for (let number = 0; number < campaigns; number++) this.facts.campaign(`c-${number}`, 'dsp-1', false).bids += 1;
  }

  sum(scope: string, name: string): number {
    const told = this.told.filter(({ id }) => id.startsWith(`${scope}:`));
    return told.reduce((sum, { body }) => sum + (body.counts[name] ?? 0), 0);
  }
}

describe('the flushes of an edge', () => {
  it('send everything each second while there are few updates', async () => {
    const edge = new FlushingEdge();
    for (let second = 0; second < 5; second++) {
      edge.auctions(400, 500);
      const told = await edge.second();
      expect(told, 'publishers, campaigns and the platform').to.have.length(901);
    }
  });

  it('send each source at most every few seconds under load, each within its bound', async () => {
    const edge = new FlushingEdge();
    const lastAtMs = new Map<string, number>();
    let mostAtOnce = 0;
    for (let second = 0; second < 90; second++) {
      edge.auctions(6_000, 30_000);
      const told = await edge.second();
      mostAtOnce = Math.max(mostAtOnce, new Set(told.map(({ id }) => id)).size);
      for (const { id, atMs } of told) {
        const withinMs = id.startsWith('campaign:') ? 31_000 : 16_000;
        expect(atMs - (lastAtMs.get(id) ?? BEGIN_MS), id).to.be.at.most(withinMs);
        lastAtMs.set(id, atMs);
      }
    }
    expect(lastAtMs.size, 'all of them').to.be.at.least(36_001);
    expect(mostAtOnce).to.be.at.most(6_000 / 15 + 30_000 / 30 + 200);
    expect(edge.observedAuctions, 'live figures and metrics see each second at once').to.equal(90 * 6_000);
    await edge.facts.close();
    expect(edge.sum('publisher', 'auctions'), 'nothing is left behind').to.equal(90 * 6_000);
    expect(edge.sum('campaign', 'bids')).to.equal(90 * 30_000);
    expect(edge.sum('platform', 'auctions')).to.equal(90 * 6_000);
  });

  it('send each source in the same seconds as other edges of a region do, within its bound', async () => {
    const edges = [new FlushingEdge(true), new FlushingEdge(true)] as const;
    // The second edge has flushed other things before, a fraction of a second later.
    edges[1].nowMs += 700;
    edges[1].auctions(300, 2_000);
    await edges[1].second();
    const told = edges.map(() => new Map<string, number[]>());
    for (let second = 0; second < 40; second++) {
      for (const [index, edge] of edges.entries()) {
        edge.auctions(1_500, 6_000);
        for (const { id, atMs } of await edge.second()) {
          const seconds = told[index]!.get(id) ?? [];
          if (second >= 10 && Math.floor(atMs / 1_000) !== seconds.at(-1)) seconds.push(Math.floor(atMs / 1_000));
          told[index]!.set(id, seconds);
        }
      }
    }
    let together = 0;
    let apart = 0;
    for (const [id, seconds] of told[0]!) {
      for (const [index, at] of seconds.entries()) {
        if (index > 0) expect(at - seconds[index - 1]!, id).to.equal(8);
        if (told[1]!.get(id)?.includes(at)) together += 1;
        else apart += 1;
      }
    }
    expect(together).to.be.greaterThan(20_000);
    expect(apart / together, 'at the ends of the time that was looked at').to.be.below(0.05);
    for (const edge of edges) await edge.facts.close();
    expect(edges[0].sum('publisher', 'auctions'), 'nothing is left behind').to.equal(40 * 1_500);
    expect(edges[0].sum('campaign', 'bids')).to.equal(40 * 6_000);
  });

  it('send everything each second in phase, too, while there are few updates', async () => {
    const edge = new FlushingEdge(true);
    for (let second = 0; second < 5; second++) {
      edge.auctions(400, 500);
      expect(await edge.second()).to.have.length(901);
    }
  });

  it('name the minute in which a publisher counted, whenever they are sent', async () => {
    const edge = new FlushingEdge();
    const byMinute = new Map<number, number>();
    for (let second = 0; second < 30; second++) {
      edge.auctions(20_000);
      const minuteMs = Math.floor((edge.nowMs + 1_000) / 60_000) * 60_000;
      byMinute.set(minuteMs, (byMinute.get(minuteMs) ?? 0) + 20_000);
      await edge.second();
    }
    await edge.facts.close();
    const told = new Map<number, number>();
    for (const { id, body } of edge.told) {
      if (id.startsWith('publisher:'))
        told.set(body.minuteMs, (told.get(body.minuteMs) ?? 0) + (body.counts.auctions ?? 0));
    }
    expect([...told].sort()).to.deep.equal([...byMinute].sort());
  });

  describe('while the log is away', () => {
    it('lose what was under way, ask once a second, and send the rest once it is back', async () => {
      const edge = new FlushingEdge();
      edge.isAway = true;
      edge.auctions(500);
      await edge.second();
      const lost = edge.facts.lostTells;
      expect(lost, 'as many as were under way at once').to.be.within(1, 64);
      expect([edge.facts.logAway, edge.away]).to.deep.equal([true, [true]]);
      for (let second = 0; second < 20; second++) {
        const tried = edge.tried;
        edge.auctions(500);
        await edge.second();
        expect(edge.tried - tried).to.be.at.most(1);
      }
      edge.isAway = false;
      await edge.second();
      await edge.second();
      expect(edge.facts.waiting).to.equal(0);
      expect(edge.facts.logAway).to.equal(false);
      expect(edge.away.at(-1)).to.equal(false);
      const lostAuctions = 21 * 500 - edge.sum('publisher', 'auctions');
      expect(lostAuctions).to.be.within(1, lost + 20 * 21);
      expect(edge.facts.dropped).to.equal(0);
    });

    it('keep counts for two minutes, in bounded memory, and drop and count what is older', async () => {
      const edge = new FlushingEdge();
      edge.isAway = true;
      for (let second = 0; second < 110; second++) {
        edge.auctions(1_000, 10);
        await edge.second();
      }
      expect(edge.facts.waiting).to.be.within(1_000, 1_020);
      expect(edge.facts.dropped).to.equal(0);
      for (let second = 0; second < 30; second++) await edge.second();
      expect(edge.facts.dropped).to.be.within(700, 1_000);
      expect(edge.facts.waiting).to.be.below(300);
    });
  });
});

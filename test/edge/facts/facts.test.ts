import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import { FactCounts } from '#actors/ledger/messages';
import { Facts } from '#edge/facts/facts';
import { LogUnavailable, Overloaded } from '#runtime/actor/errors';
import type { Messenger } from '#runtime/actor/messenger';
import { MemoryReplica } from '../../support/memory-replica.ts';

const NOW_MS = Date.UTC(2026, 2, 14, 12, 0, 30);

/** A messenger that notes what it is told, or refuses; and a clock that a test turns. */
class Desk {
  readonly told: { readonly id: string; readonly body: FactCounts }[] = [];
  refusal: Error | null = null;
  tellsAtOnce = 0;
  #under = 0;
  #fire: (() => void) | null = null;
  readonly replica: MemoryReplica;
  readonly facts: Facts;

  constructor(replica = new MemoryReplica()) {
    this.replica = replica;
    const messenger: Messenger = {
      tell: async (_kind, id, type, body) => {
        expect(type).to.equal('facts');
        this.tellsAtOnce = Math.max(this.tellsAtOnce, ++this.#under);
        await Promise.resolve();
        this.#under -= 1;
        if (this.refusal) throw this.refusal;
        this.told.push({ id, body: body as FactCounts });
      },
      ask: () => Promise.reject(new Error('facts ask nobody')),
    };
    const clock = {
      now: () => NOW_MS,
      monotonic: () => 0,
      after: (delayMs: number, fire: () => void) => {
        expect(delayMs).to.equal(1_000);
        this.#fire = fire;
        return () => {
          this.#fire = null;
        };
      },
    };
    this.facts = new Facts({ messenger, replica: this.replica, clock, region: 'fra' });
  }

  get ticking(): boolean {
    return this.#fire !== null;
  }

  tick(): void {
    this.#fire!();
  }

  /** The body last told to a ledger of 14 March. */
  to(ledger: string): FactCounts | undefined {
    return this.told.findLast(({ id }) => id === ledger.replace('@', '2026-03-14T12'))?.body;
  }
}

describe('facts', () => {
  it('tell each ledger what happened, live and sandbox apart, and begin anew', async () => {
    const desk = new Desk();
    const publisher = desk.facts.publisher('publisher-1', false);
    publisher.auctions += 1;
    publisher.imps += 2;
    publisher.filledImps += 1;
    publisher.latency.record(12);
    publisher.bidCountsByDsp.bid('dsp-1');
    publisher.bidCountsByDsp.win('dsp-1');
    publisher.blocked.add('floor');
    desk.facts.publisher('publisher-1', true).auctions += 5;
    await desk.facts.flush();
    expect(desk.to('publisher:publisher-1:@')).to.deep.include({
      minuteMs: NOW_MS - 30_000,
      region: 'fra',
      counts: { auctions: 1, imps: 2, filledImps: 1, 'blocked/floor': 1 },
      counterparties: [{ id: 'dsp-1', bids: 1, wins: 1 }],
    });
    expect(desk.to('publisher:publisher-1:@:sandbox')?.counts).to.deep.equal({ auctions: 5 });
    for (const { body } of desk.told) expect(Compile(FactCounts).Check(body)).to.equal(true);

    const tells = desk.told.length;
    await desk.facts.flush();
    expect(desk.told, 'nothing new').to.have.length(tells);
    publisher.auctions += 1;
    expect(desk.facts.publisher('publisher-1', false), 'the same counters').to.equal(publisher);
    await desk.facts.flush();
    expect(desk.to('publisher:publisher-1:@')?.counts).to.deep.equal({ auctions: 1 });
  });

  it('tell an account what its publishers sold and its DSPs were asked for, live alone', async () => {
    const replica = new MemoryReplica();
    for (const id of ['publisher-1', 'publisher-2']) replica.put('publisher', { id, accountId: 'account-1' } as never);
    replica.put('publisher', { id: 'publisher-3', accountId: 'account-2' } as never);
    // Whose DSP buys is another matter than who sells.
    replica.put('dsp', { id: 'dsp-1', accountId: 'account-2' } as never);
    const desk = new Desk(replica);
    for (const id of ['publisher-1', 'publisher-2', 'publisher-3', 'unknown']) {
      const publisher = desk.facts.publisher(id, false);
      publisher.auctions += 3;
      publisher.imps += 6;
      publisher.filledImps += 2;
      publisher.latency.record(20);
      publisher.bidCountsByDsp.win('dsp-1');
      publisher.blocked.add('floor');
      desk.facts.publisher(id, true).auctions += 100;
    }
    desk.facts.dsp('dsp-1', false).bidRequests += 9;
    desk.facts.dsp('dsp-1', false).bids += 4;
    await desk.facts.flush();
    const first = desk.to('account:account-1:@')!;
    expect(first.counts).to.deep.equal({ auctions: 6, imps: 12, filledImps: 4, 'blocked/floor': 2 });
    expect(first.counterparties, 'nobody asks an account for them').to.be.empty;
    expect(Object.values(first.latency).reduce((sum, count) => sum + count, 0)).to.equal(2);
    expect(desk.to('account:account-2:@')!.counts).to.deep.equal({
      auctions: 3,
      imps: 6,
      filledImps: 2,
      'blocked/floor': 1,
      bidRequests: 9,
    });
    expect(desk.told.filter(({ id }) => id.startsWith('account:'))).to.have.length(2);
  });

  it('send the platform the sum of its publishers, the requests of its DSPs and what belongs to none of them', async () => {
    const desk = new Desk();
    for (const id of ['publisher-1', 'publisher-2']) {
      const publisher = desk.facts.publisher(id, false);
      publisher.auctions += 3;
      publisher.latency.record(20);
      publisher.bidCountsByDsp.win('dsp-1');
      publisher.impressionCalls.add('billed');
    }
    const dsp = desk.facts.dsp('dsp-1', false);
    dsp.bidRequests += 6;
    dsp.bids += 4;
    dsp.latency.record(100);
    desk.facts.platform(false).impressionCalls.add('forged', 2);
    desk.facts.platform(false).blocked.add('unknown-publisher');
    await desk.facts.flush();
    const platform = desk.to('platform:exchange:@')!;
    expect(platform.counts).to.deep.equal({
      auctions: 6,
      bidRequests: 6,
      'impressionCalls/billed': 2,
      'impressionCalls/forged': 2,
      'blocked/unknown-publisher': 1,
    });
    expect(Object.values(platform.latency), 'auctions only').to.deep.equal([2]);
    expect(platform.counterparties).to.be.empty;
  });

  it('tell a DSP its counts, by publisher and creative', async () => {
    const desk = new Desk();
    const dsp = desk.facts.dsp('dsp-1', false);
    dsp.bidRequests += 4;
    dsp.noBids += 1;
    dsp.timeouts += 1;
    dsp.bids += 2;
    dsp.wins += 1;
    dsp.errors.add('malformed');
    dsp.losses.add('outbid', 1);
    dsp.notCalled.add('breaker-open');
    dsp.bidCountsByPublisher.bid('publisher-1');
    dsp.bidCountsByCreative.bid('crid-1');
    dsp.bidCountsByCreative.win('crid-1');
    await desk.facts.flush();
    expect(desk.to('dsp:dsp-1:@')).to.deep.include({
      counts: {
        bidRequests: 4,
        noBids: 1,
        timeouts: 1,
        bids: 2,
        wins: 1,
        'errors/malformed': 1,
        'losses/outbid': 1,
        'notCalled/breaker-open': 1,
      },
      counterparties: [{ id: 'publisher-1', bids: 1, wins: 0 }],
      creatives: [{ id: 'crid-1', bids: 1, wins: 1 }],
    });
  });

  it('tell each delegate of a pool what the pool was counted for, but for what it was counted for itself', async () => {
    const desk = new Desk();
    const delegateIds = ['dsp-1', 'dsp-2', 'dsp-3'];
    const came = (...ids: string[]) => ids.map((id) => ({ dsp: { id } }));
    for (const settled of [came(), came('dsp-1'), came('dsp-1', 'dsp-2')]) {
      desk.facts.evaluations(delegateIds, false).add(settled);
    }
    desk.facts.evaluations(delegateIds, true).add(came());
    desk.facts.dsp('dsp-1', false).bidRequests += 2;
    await desk.facts.flush();
    const counts = (id: string) => desk.to(`dsp:${id}:@`)!.counts;
    expect(counts('dsp-1')).to.deep.equal({ bidRequests: 3, noBids: 1, 'keptBack/no-match': 1 });
    expect(counts('dsp-2')).to.deep.equal({ bidRequests: 2, noBids: 2, 'keptBack/no-match': 2 });
    expect(counts('dsp-3')).to.deep.equal({ bidRequests: 3, noBids: 3, 'keptBack/no-match': 3 });
    expect(desk.to('platform:exchange:@')!.counts).to.deep.equal({ bidRequests: 8 });
    const told = desk.told.length;
    await desk.facts.flush();
    expect(desk.told, 'once').to.have.length(told);
  });

  it('send again what was certainly not sent, added to what came since', async () => {
    const desk = new Desk();
    const publisher = desk.facts.publisher('publisher-1', false);
    desk.refusal = new Overloaded('full');
    for (let flush = 0; flush < 3; flush++) {
      publisher.auctions += 1;
      publisher.bidCountsByDsp.win('dsp-1');
      publisher.latency.record(10);
      await desk.facts.flush();
    }
    expect(desk.told).to.be.empty;
    desk.refusal = null;
    await desk.facts.flush();
    const told = desk.told.filter(({ id }) => id.startsWith('publisher:'));
    const sum = (of: (body: FactCounts) => number) => told.reduce((all, { body }) => all + of(body), 0);
    expect(sum(({ counts }) => counts.auctions ?? 0)).to.equal(3);
    expect(sum(({ counterparties }) => counterparties[0]?.wins ?? 0)).to.equal(3);
    expect(sum(({ latency }) => Object.values(latency)[0] ?? 0)).to.equal(3);
    expect(desk.facts.lostTells).to.equal(0);
  });

  it('do not send again what may have arrived', async () => {
    const desk = new Desk();
    desk.facts.publisher('publisher-1', false).auctions += 1;
    desk.refusal = new LogUnavailable('away');
    await desk.facts.flush();
    desk.refusal = null;
    await desk.facts.flush();
    expect(desk.told).to.be.empty;
    expect(desk.facts.lostTells, 'the publisher and the platform').to.equal(2);
  });

  it('have a bounded number of tells under way', async () => {
    const desk = new Desk();
    for (let number = 0; number < 500; number++) desk.facts.publisher(`publisher-${number}`, false).auctions += 1;
    await desk.facts.flush();
    expect(desk.told).to.have.length(501);
    expect(desk.tellsAtOnce).to.equal(64);
  });

  describe('of a sandbox that is flushed', () => {
    const flushed = (desk: Desk, kind: string, id: string, sandboxGeneration: number) =>
      desk.replica.put(kind, { id, sandboxGeneration } as { id: string });

    it('forget what was counted before, and go to the ledger of the new generation', async () => {
      const desk = new Desk();
      desk.facts.publisher('publisher-1', true).auctions += 1;
      desk.facts.dsp('dsp-1', true).bids += 1;
      desk.facts.evaluations(['dsp-1', 'dsp-2'], true).add([]);
      desk.facts.publisher('publisher-2', true).auctions += 1;
      desk.facts.publisher('publisher-1', false).auctions += 1;
      flushed(desk, 'publisher', 'publisher-1', 1);
      flushed(desk, 'dsp', 'dsp-1', 4);
      desk.facts.publisher('publisher-1', true).auctions += 7;
      await desk.facts.flush();
      expect(desk.to('publisher:publisher-1:@:sandbox')).to.equal(undefined);
      expect(desk.to('dsp:dsp-1:@:sandbox')).to.equal(undefined);
      expect(desk.to('dsp:dsp-1:@:sandbox.4')).to.equal(undefined);
      expect(desk.to('dsp:dsp-2:@:sandbox')?.counts.bidRequests, 'another of the pool').to.equal(1);
      expect(desk.to('publisher:publisher-1:@:sandbox.1')?.counts).to.deep.equal({ auctions: 7 });
      expect(desk.to('publisher:publisher-2:@:sandbox')?.counts, 'others').to.deep.equal({ auctions: 1 });
      expect(desk.to('publisher:publisher-1:@')?.counts, 'live').to.deep.equal({ auctions: 1 });
      desk.facts.dsp('dsp-1', true).bids += 2;
      await desk.facts.flush();
      expect(desk.to('dsp:dsp-1:@:sandbox.4')?.counts).to.deep.equal({ bids: 2 });
    });

    it('forget what was waiting to be sent again, before the flush and on its way', async () => {
      const desk = new Desk();
      desk.refusal = new Overloaded('full');
      desk.facts.publisher('publisher-1', true).auctions += 1;
      await desk.facts.flush();
      flushed(desk, 'publisher', 'publisher-1', 1);
      desk.facts.publisher('publisher-1', true).auctions += 2;
      const underWay = desk.facts.flush();
      flushed(desk, 'publisher', 'publisher-1', 2);
      await underWay;
      desk.refusal = null;
      desk.facts.publisher('publisher-1', true).auctions += 3;
      await desk.facts.flush();
      const told = desk.told.filter(({ id }) => id.startsWith('publisher:'));
      expect(told.map(({ id, body }) => [id, body.counts.auctions])).to.deep.equal([
        ['publisher:publisher-1:2026-03-14T12:sandbox.2', 3],
      ]);
    });

    it('know generations from before their start', async () => {
      const replica = new MemoryReplica();
      replica.put('publisher', { id: 'publisher-1', sandboxGeneration: 9 } as { id: string });
      const desk = new Desk(replica);
      desk.facts.publisher('publisher-1', true).auctions += 1;
      await desk.facts.flush();
      expect(desk.to('publisher:publisher-1:@:sandbox.9')?.counts).to.deep.equal({ auctions: 1 });
    });
  });

  it('are sent every second, and the last of them on closing', async () => {
    const desk = new Desk();
    desk.facts.start();
    desk.facts.publisher('publisher-1', false).auctions += 1;
    desk.tick();
    await desk.facts.flush();
    expect(desk.told).to.have.length(2);
    desk.facts.publisher('publisher-1', false).auctions += 1;
    await desk.facts.close();
    expect(desk.told).to.have.length(4);
    expect(desk.ticking).to.equal(false);
  });
});

import { expect } from 'chai';
import { accountName, accountNumber, type SpendChange } from '#edge/pace/spend-account';
import { ToldSpend } from '#edge/pace/told-spend';
import type { Broadcasts } from '#runtime/ports/broadcasts';
import { createMemoryCounters } from '#runtime/providers/memory/memory-counters';

describe('what edges tell each other of spend', () => {
  let nowMs = 1_000;
  const clock = { now: () => nowMs, monotonic: () => nowMs, after: () => () => {} };
  const change = (account: number, day = 20_000, soldNanos = 5, billedNanos = 7): SpendChange => {
    return { account, day, soldNanos, billedNanos };
  };
  const takenBy = async (edge: ToldSpend) => {
    const taken: SpendChange[] = [];
    const complete = await edge.read(({ day, accounts, soldNanos, billedNanos }) => {
      for (const [index, account] of accounts.entries())
        taken.push({ account, day, soldNanos: soldNanos[index]!, billedNanos: billedNanos[index]! });
    });
    return { complete, taken };
  };

  it('reaches every other edge once, whatever the number of changes and days', async () => {
    const { broadcasts } = createMemoryCounters(clock);
    const [one, other] = [new ToldSpend(broadcasts, clock, 'one'), new ToldSpend(broadcasts, clock, 'other')];
    await takenBy(other);
    const changes = Array.from({ length: 12_345 }, (_, index) => change(index, index % 100 === 0 ? 19_999 : 20_000));
    expect(await one.tell(changes)).to.deep.equal([]);
    const { taken } = await takenBy(other);
    expect(taken).to.have.deep.members(changes);
    expect((await takenBy(other)).taken).to.deep.equal([]);
    expect((await takenBy(one)).taken, 'its own').to.deep.equal([]);
  });

  it('knows since when and up to when it has read all, and that it has missed some', async () => {
    const { broadcasts } = createMemoryCounters(clock);
    const [one, other] = [new ToldSpend(broadcasts, clock, 'one'), new ToldSpend(broadcasts, clock, 'other')];
    expect([one.sinceMs, one.atMs]).to.deep.equal([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
    await takenBy(one);
    nowMs += 500;
    await takenBy(one);
    expect([one.sinceMs, one.atMs]).to.deep.equal([nowMs - 500, nowMs]);
    for (let count = 0; count < 1_001; count += 1) await other.tell([change(count)]);
    nowMs += 500;
    expect((await takenBy(one)).complete).to.equal(true);
    expect(one.sinceMs, 'the first was kept no more').to.equal(nowMs);
  });

  it('keeps what it could not tell, and says that it could not read', async () => {
    const away: Broadcasts = {
      publish: () => Promise.reject(new Error('away')),
      read: () => Promise.reject(new Error('away')),
    };
    const edge = new ToldSpend(away, clock, 'edge');
    expect(await edge.tell([change(1), change(2)])).to.deep.equal([change(1), change(2)]);
    expect(await takenBy(edge)).to.deep.equal({ complete: false, taken: [] });
  });

  it('names accounts by numbers that differ, and are the same at every edge', () => {
    const numbers = new Set<number>();
    for (let index = 0; index < 100_000; index += 1) numbers.add(accountNumber(accountName(`campaign-${index}`, '')));
    expect(numbers.size).to.equal(100_000);
    expect(accountNumber(accountName('campaign-1', ''))).to.equal(3_026_870_278_154_271);
    expect(accountNumber(accountName('campaign-1', 'sandbox-0/'))).not.to.equal(
      accountNumber(accountName('campaign-1', '')),
    );
  });
});

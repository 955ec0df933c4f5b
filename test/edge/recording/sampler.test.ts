import { expect } from 'chai';
import { Sampler } from '#edge/recording/sampler';

/**
 * Offers auctions at a rate each, in the order of time, for `seconds`; by publisher, what was taken and what it stood
 * for.
 */
function offered(sampler: Sampler, perSecond: Readonly<Record<string, number>>, seconds: number) {
  const taken = new Map<string, { records: number; represented: number }>();
  const offers: [number, string][] = [];
  for (const [publisher, rate] of Object.entries(perSecond)) {
    for (let made = 0; made < rate * seconds; made++) offers.push([(made * 1000) / rate, publisher]);
  }
  offers.sort(([a], [b]) => a - b);
  for (const [atMs, publisher] of offers) {
    const represents = sampler.offer(publisher, 'filled', atMs);
    if (represents === 0) continue;
    const sums = taken.get(publisher) ?? { records: 0, represented: 0 };
    taken.set(publisher, { records: sums.records + 1, represented: sums.represented + represents });
  }
  return { taken, offers: offers.length };
}

describe('the sampler of auctions', () => {
  it('takes as many as it may, and no more than it has saved up', () => {
    const { taken } = offered(new Sampler(2, 0), { only: 500 }, 60);
    // Ten seconds' worth is saved up at first.
    expect(taken.get('only')!.records).to.be.within(2 * 60, 2 * 60 + 20);
  });

  it('samples publishers equally, whatever their traffic', () => {
    const { taken } = offered(new Sampler(2, 0), { huge: 1_000, large: 100, small: 2 }, 120);
    const records = ['huge', 'large', 'small'].map((publisher) => taken.get(publisher)!.records);
    for (const count of records) expect(count).to.be.within(55, 110);
  });

  it('takes all of what is rare beside what is frequent', () => {
    const { taken } = offered(new Sampler(2, 0), { huge: 1_000, rare: 0.1 }, 300);
    expect(taken.get('rare')!.records).to.equal(30);
    expect(taken.get('rare')!.represented).to.equal(30);
  });

  it('samples the outcomes of one publisher equally too', () => {
    const sampler = new Sampler(2, 0);
    const taken = { filled: 0, blocked: 0 };
    for (let atMs = 0; atMs < 120_000; atMs++) {
      const outcome = atMs % 100 === 0 ? 'blocked' : 'filled';
      if (sampler.offer('pub', outcome, atMs) > 0) taken[outcome] += 1;
    }
    expect(taken.blocked).to.be.within(100, 150);
    expect(taken.filled).to.be.within(100, 150);
  });

  it('says of each how many it stands for: together, all but those since the last', () => {
    const { taken, offers } = offered(new Sampler(5, 0), { a: 300, b: 40, c: 1 }, 60);
    const represented = [...taken.values()].reduce((sum, { represented: more }) => sum + more, 0);
    expect(represented).to.be.within(offers - 500, offers);
  });

  it('forgets publishers that nothing was heard of for a minute', () => {
    const sampler = new Sampler(1, 0);
    for (let index = 0; index < 50_000; index++) sampler.offer(`pub-${index}`, 'filled', index / 50_000);
    expect(sampler.offer('one too many', 'filled', 20_000)).to.equal(0);
    sampler.offer('pub-1', 'filled', 70_000);
    expect(sampler.offer('one too many', 'filled', 70_000)).to.equal(1);
  });
});

import { expect } from 'chai';
import type { CatalogueEntry, CatalogueLog } from '#runtime/ports/catalogue-log';
import { type DeclareTest, required } from './harness.ts';

const LONG_WAIT_MS = 60_000;

/** Everything from `after` up to the newest entry. */
async function follow(catalogue: CatalogueLog, after: number): Promise<CatalogueEntry[]> {
  const entries: CatalogueEntry[] = [];
  for (let at = after; ; at = entries.at(-1)!.number) {
    const more = await catalogue.read(at, 500, 0);
    if (more.length === 0) return entries;
    entries.push(...more);
  }
}

export function catalogueCases(it: DeclareTest): void {
  it('is empty at first', async ({ provider: { catalogue } }) => {
    expect(await catalogue.tail()).to.equal(0);
    expect(await catalogue.read(0, 10, 0)).to.deep.equal([]);
    await catalogue.publish([]);
    expect(await catalogue.tail()).to.equal(0);
  });

  it('numbers entries without holes, in order', async ({ provider: { catalogue } }) => {
    await catalogue.publish(['a']);
    const start = await catalogue.tail();
    await catalogue.publish(['b', 'c', '日本語']);
    await catalogue.publish(['d']);
    expect(await catalogue.tail()).to.equal(start + 4);
    expect(await catalogue.read(start, 10, 0)).to.deep.equal([
      { number: start + 1, payload: 'b' },
      { number: start + 2, payload: 'c' },
      { number: start + 3, payload: '日本語' },
      { number: start + 4, payload: 'd' },
    ]);
    expect((await catalogue.read(0, 10, 0))[0]).to.deep.equal({ number: start, payload: 'a' });
    expect(await catalogue.read(start + 1, 2, 0)).to.have.length(2);
    expect(await catalogue.read(start + 4, 10, 0)).to.deep.equal([]);
  });

  it('keeps the payloads of one call together among concurrent publishers', async ({ provider: { catalogue } }) => {
    await catalogue.publish(['first']);
    const start = await catalogue.tail();
    await Promise.all(Array.from({ length: 50 }, (_, at) => catalogue.publish([`${at}:0`, `${at}:1`, `${at}:2`])));
    const entries = await follow(catalogue, start);
    expect(entries.map((entry) => entry.number)).to.deep.equal(Array.from({ length: 150 }, (_, at) => start + 1 + at));
    for (let at = 0; at < 150; at += 3) {
      const call = entries[at]!.payload.split(':')[0];
      expect(entries.slice(at, at + 3).map((entry) => entry.payload)).to.deep.equal([
        `${call}:0`,
        `${call}:1`,
        `${call}:2`,
      ]);
    }
  });

  it('wakes every follower that waits', async ({ provider: { catalogue } }) => {
    await catalogue.publish(['old']);
    const start = await catalogue.tail();
    const followers = Array.from({ length: 5 }, () => catalogue.read(start, 10, LONG_WAIT_MS));
    await catalogue.publish(['new']);
    for (const entries of await Promise.all(followers)) {
      expect(entries).to.deep.equal([{ number: start + 1, payload: 'new' }]);
    }
  });

  it('wakes followers of other processes', async (harness, test) => {
    const other = await required(harness, 'connect', test)();
    try {
      await harness.provider.catalogue.publish(['old']);
      const start = await other.catalogue.tail();
      const reading = other.catalogue.read(start, 10, LONG_WAIT_MS);
      await harness.provider.catalogue.publish(['new']);
      expect(await reading).to.deep.equal([{ number: start + 1, payload: 'new' }]);
    } finally {
      await other.close();
    }
  });

  it('ends a wait without entries when the time is up', async ({ provider: { catalogue } }) => {
    const began = performance.now();
    expect(await catalogue.read(0, 10, 60)).to.deep.equal([]);
    expect(performance.now() - began).to.be.at.least(50);
  });

  it('drops old entries, and shows the gap to a reader that fell behind', async ({ provider: { catalogue } }) => {
    await catalogue.publish(['first']);
    const start = await catalogue.tail();
    const filler = 'x'.repeat(50);
    for (let call = 0; call < 80; call++) {
      await catalogue.publish(Array.from({ length: 500 }, () => filler));
    }
    const [oldest] = await catalogue.read(start, 1, 0);
    expect(oldest!.number).to.be.above(start + 1);
    expect(oldest!.number).to.be.at.most(start + 40_000 - 9_999);
    const kept = await follow(catalogue, oldest!.number);
    expect(kept.at(-1)!.number).to.equal(start + 40_000);
    expect(kept).to.have.length(start + 40_000 - oldest!.number);
  });

  it('never passes a recreated log off as the next entry', async (harness, test) => {
    const wipeCatalogue = required(harness, 'wipeCatalogue', test);
    const { catalogue } = harness.provider;
    await catalogue.publish(['a', 'b', 'c']);
    const after = await catalogue.tail();
    await wipeCatalogue();
    expect(await catalogue.read(after, 10, 0)).to.deep.equal([]);
    await catalogue.publish(['d']);
    const entries = await catalogue.read(after, 10, LONG_WAIT_MS);
    expect(entries.map((entry) => entry.payload)).to.deep.equal(['d']);
    expect(entries[0]!.number).not.to.equal(after + 1);
  });
}

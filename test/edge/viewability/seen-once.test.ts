import { expect } from 'chai';
import { DeduplicationWindow } from '#edge/viewability/seen-once';

const MINUTE_MS = 60_000;

describe('what has been seen already', () => {
  it('is known for as long as it matters, however late it comes again', () => {
    const seen = new DeduplicationWindow({ windowMs: 60 * MINUTE_MS, most: 1_000 });
    expect(seen.add('a', 0, 0)).to.equal(true);
    for (let minute = 1; minute < 60; minute++) {
      seen.add(`other ${minute}`, minute * MINUTE_MS, minute * MINUTE_MS);
      expect(seen.add('a', 0, minute * MINUTE_MS)).to.equal(false);
    }
  });

  it('never holds more names than it may, and forgets the oldest first', () => {
    const seen = new DeduplicationWindow({ windowMs: 60 * MINUTE_MS, most: 100 });
    for (let index = 0; index < 300; index++) seen.add(`n${index}`, index * MINUTE_MS, index * MINUTE_MS);
    expect(seen.size).to.be.at.most(100);
    expect(seen.add('n299', 299 * MINUTE_MS, 299 * MINUTE_MS)).to.equal(false);
    expect(seen.add('n0', 0, 299 * MINUTE_MS)).to.equal(true);
  });

  it('counts and knows a name of the very span that it forgets', () => {
    const seen = new DeduplicationWindow({ windowMs: 60 * MINUTE_MS, most: 3 });
    for (const name of ['a', 'b', 'c', 'd']) seen.add(name, 0, 0);
    expect([seen.size, seen.has('d', 0)]).to.deep.equal([1, true]);
    expect(seen.add('d', 0, 0)).to.equal(false);
    for (let index = 0; index < 2; index++) seen.add(`n${index}`, 20 * MINUTE_MS, 20 * MINUTE_MS);
    expect(seen.size).to.equal(3);
    seen.add('n2', 20 * MINUTE_MS, 20 * MINUTE_MS);
    expect(seen.size).to.equal(3);
  });

  it('holds no name that is older than all, where it is full', () => {
    const seen = new DeduplicationWindow({ windowMs: 60 * MINUTE_MS, most: 2 });
    for (const name of ['a', 'b']) seen.add(name, 20 * MINUTE_MS, 20 * MINUTE_MS);
    expect(seen.add('old', 0, 20 * MINUTE_MS)).to.equal(true);
    expect([seen.size, seen.has('old', 0), seen.has('a', 20 * MINUTE_MS)]).to.deep.equal([2, false, true]);
  });

  it('forgets what no longer matters', () => {
    const seen = new DeduplicationWindow({ windowMs: 10 * MINUTE_MS, most: 1_000 });
    seen.add('old', 0, 0);
    seen.add('new', 30 * MINUTE_MS, 30 * MINUTE_MS);
    expect(seen.size).to.equal(1);
  });
});

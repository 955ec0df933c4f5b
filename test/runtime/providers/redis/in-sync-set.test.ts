import { expect } from 'chai';
import {
  addGroup,
  beginJoin,
  completeJoin,
  drop,
  formSet,
  groupOf,
  noteDemoted,
  serversToAwait,
  withPrimary,
} from '#runtime/providers/redis/replication/in-sync-set';

const FORMED = formSet([{ primary: 'a', replicas: ['b', 'c'], epoch: 7 }]);
const JOINED = completeJoin(FORMED, 'a', groupOf(FORMED, 'a')!);

describe('runtime/providers/redis the set of servers in sync', () => {
  it('begins with the primary alone, above every epoch that the data have', () => {
    expect(FORMED.groups).to.deep.equal([{ members: ['a'], primary: 'a', joining: ['b', 'c'], epoch: 8, written: 0 }]);
    expect(groupOf(FORMED, 'b'), 'a server that joins is no primary').to.equal(undefined);
    expect(serversToAwait(groupOf(FORMED, 'a')!, 'a')).to.deep.equal(['b', 'c']);
  });

  it('takes those that have everything', () => {
    expect(JOINED.groups).to.deep.equal([
      { members: ['a', 'b', 'c'], primary: 'a', joining: [], epoch: 8, written: 8 },
    ]);
    expect(serversToAwait(groupOf(JOINED, 'b')!, 'b')).to.deep.equal(['a', 'c']);
  });

  it('counts no replica in by a look from before others began to join', () => {
    const seen = groupOf(FORMED, 'a')!;
    const invited = beginJoin(FORMED, 'a', ['d']);
    expect(completeJoin(invited, 'a', seen)).to.equal(invited);
  });

  it('raises the epoch with every invitation, and not for those who are in it', () => {
    const invited = beginJoin(JOINED, 'b', ['a', 'd']);
    expect(invited.groups).to.deep.equal([
      { members: ['a', 'b', 'c'], primary: 'a', joining: ['d'], epoch: 9, written: 8 },
    ]);
    expect(beginJoin(invited, 'b', ['d'])).to.equal(invited);
  });

  it('drops members while enough stay, and joining servers always', () => {
    expect(groupOf(drop(JOINED, 'b', ['a'], 1), 'b')!.members).to.deep.equal(['b', 'c']);
    expect(drop(JOINED, 'b', ['a', 'c'], 1)).to.equal(JOINED);
    expect(groupOf(drop(JOINED, 'b', ['a', 'c'], 0), 'b')!.members).to.deep.equal(['b']);
    const invited = beginJoin(JOINED, 'a', ['d']);
    expect(groupOf(drop(invited, 'a', ['b', 'c', 'd'], 2), 'a'))
      .to.include({ written: 8 })
      .and.deep.include({
        members: ['a', 'b', 'c'],
        joining: [],
      });
    const replaced = drop(invited, 'a', ['b', 'c'], 1);
    expect(groupOf(replaced, 'a'), 'one that joins takes their place').to.deep.include({
      members: ['a'],
      joining: ['d'],
    });
    expect(drop(invited, 'a', ['b', 'c'], 2), 'but not of two').to.equal(invited);
    expect(drop(JOINED, 'a', ['a'], 0), 'never the one that is asked').to.equal(JOINED);
  });

  it('is another set once another member is the primary, and the same while it is not', () => {
    const led = withPrimary(JOINED, 'b');
    expect(groupOf(led, 'b')!.primary).to.equal('b');
    expect(withPrimary(led, 'b')).to.equal(led);
    expect(withPrimary(JOINED, 'z'), 'no member leads').to.equal(JOINED);
  });

  it('keeps groups apart', () => {
    const set = addGroup(JOINED, { primary: 'x', replicas: ['y'], epoch: 0 });
    expect(set.groups).to.have.length(2);
    expect(drop(set, 'x', ['b'], 0)).to.equal(set);
    expect(drop(set, 'z', ['b'], 0)).to.equal(set);
  });

  it('keeps the first note of how promotable a server was', () => {
    const noted = noteDemoted(noteDemoted(JOINED, 'c', '77'), 'c', '0');
    expect(noted.demoted).to.deep.equal({ c: '77' });
  });
});

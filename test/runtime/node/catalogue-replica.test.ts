import { expect } from 'chai';
import type { ProjectionChange, ProjectionFollower } from '#runtime/actor/replica';
import type { ActorNode } from '#runtime/node/node';
import { eventually } from '../../support/eventually.ts';
import { counter } from './counter.ts';
import { RunningNodes } from './running-nodes.ts';

describe('the replica of the catalogue', () => {
  const kind = counter();
  let nodes: RunningNodes;
  let node: ActorNode;
  beforeEach(async () => {
    nodes = await RunningNodes.open();
    node = await nodes.start([kind], { replicates: ['counter'] });
  });
  afterEach(() => nodes.close());
  const add = (id: string, n: number) => node.messenger.ask(kind, id, 'add', { n });
  const view = (id: string) => node.replica.get<{ value: number }>('counter', id)?.value;

  it('follows every change of a projection', async () => {
    for (let value = 1; value <= 20; value++) {
      await add('a', 1);
      await eventually(`the view of ${value}`, () => view('a') === value, { everyMs: 1 });
    }
  });

  it('leaves out what has no projection, and what is deleted', async () => {
    await add('a', 1);
    await add('b', 2);
    await eventually('both', () => node.replica.all('counter').size === 2);
    await add('a', -1);
    await eventually('a view to go', () => view('a') === undefined);
    await node.messenger.ask(kind, 'b', 'remove', {});
    await eventually('the deleted one to go', () => node.replica.all('counter').size === 0);
    await add('b', 5);
    await eventually('it to come back', () => view('b') === 5);
  });

  it('tells subscribers what is known, then each change, and nothing once they have ended', async () => {
    await add('a', 1);
    await eventually('the view', () => view('a') === 1);
    const changes: ProjectionChange[] = [];
    const end = node.replica.subscribe('counter', (change) => changes.push(change));
    expect(changes).to.deep.equal([{ kind: 'counter', id: 'a', projection: { value: 1 } }]);
    await add('b', 2);
    await add('a', -1);
    await eventually('both changes', () => changes.length === 3);
    expect(changes.slice(1)).to.deep.equal([
      { kind: 'counter', id: 'b', projection: { value: 2 } },
      { kind: 'counter', id: 'a', projection: null },
    ]);
    end();
    await add('b', 1);
    await eventually('the view', () => view('b') === 3);
    expect(changes).to.have.length(3);
  });

  it('goes on when a subscriber fails', async () => {
    const heard: string[] = [];
    node.replica.subscribe('counter', () => {
      throw new Error('a bug of the subscriber');
    });
    node.replica.subscribe('counter', ({ id }) => heard.push(id));
    await add('a', 1);
    await add('b', 1);
    await eventually('both', () => heard.length === 2);
    expect(nodes.logged.filter(({ message }) => message === 'a follower of the catalogue failed')).to.have.length(2);
  });

  it('is whole when the node has started', async () => {
    for (let n = 1; n <= 50; n++) await add(`a${n}`, n);
    await node.stop();
    const reader = await nodes.start([kind], { hostsActors: false, replicates: ['counter'] });
    expect(reader.replica.ready).to.equal(true);
    expect(reader.replica.all('counter').size).to.equal(50);
    expect(reader.replica.get('counter', 'a7')).to.deep.equal({ value: 7 });
  });

  it('holds only the kinds that were asked for', async () => {
    await add('a', 1);
    const other = counter({ kind: 'other' });
    await node.stop();
    node = await nodes.start([kind, other], { replicates: ['other'] });
    await node.messenger.ask(other, 'b', 'add', { n: 1 });
    await eventually('the view', () => node.replica.get('other', 'b') !== undefined);
    expect(node.replica.all('counter').size).to.equal(0);
    expect(() => node.replica.get('none', 'x')).not.to.throw();
    const unknown = await nodes.start([kind], { replicates: ['stranger'] }).catch((error) => error);
    expect(unknown).to.have.property('message', 'no kind stranger is defined');
  });

  it('does not take an older version for a newer one', async () => {
    await add('a', 1);
    await add('a', 1);
    await eventually('the view', () => view('a') === 2);
    const { catalogue } = nodes.embedded.log;
    await catalogue.publish([JSON.stringify(['counter', 'a', 1, { value: 1 }])]);
    await add('b', 1);
    await eventually('what came after', () => view('b') === 1);
    expect(view('a')).to.equal(2);
  });

  it('takes a new snapshot when what it reads cannot be followed', async () => {
    await add('a', 1);
    await eventually('the view', () => view('a') === 1);
    await nodes.embedded.log.catalogue.publish(['no entry']);
    await eventually('another snapshot', async () => (await nodes.metric('catalogue_snapshots_total')) === 2);
    await add('a', 1);
    await eventually('the view', () => view('a') === 2);
  });

  describe('that hands projections over', () => {
    /** Starts a node of its own whose replica hands over to `follower`. */
    const startFollowing = async (follower: ProjectionFollower) =>
      nodes.start([kind], { hostsActors: false }, ({ replica }) => replica.follow('counter', follower));

    it('hands over the first snapshot, then each change once, deletions too, and holds nothing', async () => {
      await add('a', 1);
      await add('b', 2);
      const changes: ProjectionChange[] = [];
      const reader = await startFollowing((change) => void changes.push(change));
      expect(changes).to.have.deep.members([
        { kind: 'counter', id: 'a', projection: { value: 1 } },
        { kind: 'counter', id: 'b', projection: { value: 2 } },
      ]);
      await add('a', 4);
      await node.messenger.ask(kind, 'b', 'remove', {});
      await eventually('both changes', () => changes.length === 4);
      expect(changes.slice(2)).to.deep.equal([
        { kind: 'counter', id: 'a', projection: { value: 5 } },
        { kind: 'counter', id: 'b', projection: null },
      ]);
      expect(reader.replica.get('counter', 'a')).to.equal(undefined);
      expect(reader.replica.all('counter').size).to.equal(0);
    });

    it('waits for its follower: one change at a time, in their order, and ready only when the snapshot is taken in', async () => {
      for (let n = 1; n <= 20; n++) await add(`a${n}`, n);
      let underWay = 0;
      let most = 0;
      const taken: string[] = [];
      const reader = await startFollowing(async ({ id }) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise(setImmediate);
        taken.push(id);
        underWay -= 1;
      });
      expect(taken).to.have.length(20);
      expect(reader.replica.ready).to.equal(true);
      for (let n = 1; n <= 20; n++) await add('b', 1);
      await eventually('every change', () => taken.length === 40);
      expect(most).to.equal(1);
    });

    it('tells of a deletion that it learns from a new snapshot alone, and nothing twice', async () => {
      await add('a', 1);
      await add('b', 1);
      const changes: ProjectionChange[] = [];
      let go: (() => void) | null = null;
      await startFollowing(({ id, projection: view, ...rest }) => {
        changes.push({ id, projection: view, ...rest });
        // Held up here while the log is made unreadable and the others change.
        if (id === 'c') return new Promise<void>((resolve) => (go = resolve));
        return undefined;
      });
      const snapshots = () => nodes.metric('catalogue_snapshots_total');
      expect(await snapshots()).to.equal(1);
      await add('c', 1);
      await eventually('the follower to be held up', () => go !== null);
      await nodes.embedded.log.catalogue.publish(['no entry']);
      await node.messenger.ask(kind, 'a', 'remove', {});
      await add('b', 1);
      go!();
      await eventually('another snapshot', async () => (await snapshots()) === 2);
      expect(changes.slice(3)).to.have.deep.members([
        { kind: 'counter', id: 'a', projection: null },
        { kind: 'counter', id: 'b', projection: { value: 2 } },
      ]);
    });

    it('goes on when its follower fails, and says so', async () => {
      const heard: string[] = [];
      await startFollowing(async ({ id }) => {
        heard.push(id);
        throw new Error('a bug of the follower');
      });
      await add('a', 1);
      await add('b', 1);
      await eventually('both', () => heard.length === 2);
      expect(nodes.logged.filter(({ message }) => message === 'a follower of the catalogue failed')).to.have.length(2);
    });

    it('is asked before the start, by one, for a kind that is not held', () => {
      expect(() => node.replica.follow('counter', () => undefined)).to.throw('from the start or not at all');
    });
  });
});

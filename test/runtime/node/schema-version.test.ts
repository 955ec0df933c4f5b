import { expect } from 'chai';
import Type from 'typebox';
import { defineActor } from '#runtime/actor/define-actor';
import { ActorTimeout } from '#runtime/actor/errors';
import { withUpgradedStates } from '#runtime/node/with-upgraded-states';
import { eventually } from '../../support/eventually.ts';
import { counter } from './counter.ts';
import { RunningNodes } from './running-nodes.ts';

/** The second version of the counter counts in hundredths. */
const precise = (upgrades: boolean) =>
  defineActor({
    kind: 'counter',
    schemaVersion: 2,
    saving: 'eager',
    state: Type.Object({ hundredths: Type.Integer() }),
    messages: { read: Type.Object({}), touch: Type.Object({}) },
    initial: () => ({ hundredths: 0 }),
    handlers: { read: (state) => ({ reply: state }), touch: (state) => ({ state, reply: state }) },
    ...(upgrades
      ? {
          upgrade(state: unknown, schemaVersion: number) {
            expect(schemaVersion).to.equal(1);
            return { hundredths: (state as { value: number }).value * 100 };
          },
        }
      : {}),
    projection: ({ hundredths }) => ({ hundredths }),
  });

describe('the schema version of a state', () => {
  let nodes: RunningNodes;
  beforeEach(async () => {
    nodes = await RunningNodes.open();
    const node = await nodes.start([counter()]);
    await node.messenger.ask(counter(), 'a', 'add', { n: 3 }, { requestId: 'adding' });
    await node.stop();
  });
  afterEach(() => nodes.close());
  const stored = async () => (await nodes.embedded.store.load([{ kind: 'counter', id: 'a' }]))[0]!;
  const refusal = (reason: string) =>
    eventually('the refusal', () => nodes.logged.some(({ fields }) => String(fields.error).includes(reason)));

  it('is raised by a newer program, which reads the older state and writes its own', async () => {
    const kind = precise(true);
    const { messenger, replica } = await nodes.start([kind], { replicates: ['counter'] });
    expect(replica.get('counter', 'a')).to.deep.equal({ hundredths: 300 });
    expect(await messenger.ask(kind, 'a', 'read', {})).to.deep.equal({ hundredths: 300 });
    await messenger.ask(kind, 'a', 'touch', {});
    expect(await stored()).to.deep.include({ schema: 2, state: { hundredths: 300 } });
  });

  it('is known of kept answers too: a request that is asked again is answered with the state as the newer program has it', async () => {
    const kind = precise(true);
    const newer = await nodes.start([kind]);
    const again = (node: typeof newer) => node.messenger.ask(kind, 'a', 'touch', {}, { requestId: 'adding' });
    expect(await again(newer)).to.deep.equal({ hundredths: 300 });
    await newer.messenger.ask(kind, 'a', 'touch', {});
    await newer.stop();
    expect(await again(await nodes.start([kind])), 'once it is saved').to.deep.equal({ hundredths: 300 });
  });

  it('leaves answers that are no state as they were', async () => {
    const older = await nodes.start([counter()]);
    await older.messenger.ask(counter(), 'removed', 'add', { n: 4 });
    await older.messenger.ask(counter(), 'removed', 'remove', {}, { requestId: 'removing' });
    await older.stop();
    const kind = precise(true);
    const { messenger } = await nodes.start([kind]);
    expect(await messenger.ask(kind, 'removed', 'touch', {}, { requestId: 'removing' })).to.equal('removed');
  });

  it('is known of projections too: what an older program publishes is read in the newer form', async () => {
    const older = await nodes.start([counter()]);
    const { replica } = await nodes.start([precise(true)], { hostsActors: false, replicates: ['counter'] });
    await older.messenger.ask(counter(), 'b', 'add', { n: 5 });
    await eventually('the view', () => replica.get('counter', 'b') !== undefined);
    expect(replica.get('counter', 'b')).to.deep.equal({ hundredths: 500 });
    await older.messenger.ask(counter(), 'b', 'add', { n: -5 });
    await eventually('the view to go', () => replica.get('counter', 'b') === undefined);
  });

  it('is refused by an older program, which says why and changes nothing', async () => {
    const kind = precise(true);
    const newer = await nodes.start([kind]);
    await newer.messenger.ask(kind, 'a', 'touch', {});
    await newer.stop();
    const before = await stored();

    const { messenger } = await nodes.start([counter()]);
    const asked = messenger.ask(counter(), 'a', 'add', { n: 1 }, { timeoutMs: 500 }).catch((error) => error);
    await refusal('counter/a has schema 2; this program knows 1');
    expect(await asked).to.be.instanceOf(ActorTimeout);
    expect(await stored()).to.deep.equal(before);
    // The message waits for a program that can read the state.
    expect(await nodes.unhandled()).to.equal(1);
  });

  it('does not show: readers of the store meet every state as the newest version has it', async () => {
    const read = withUpgradedStates(nodes.embedded.store, [precise(true)]);
    const upgraded = { schema: 2, state: { hundredths: 300 } };
    const [loaded, none] = await read.load([
      { kind: 'counter', id: 'a' },
      { kind: 'counter', id: 'b' },
    ]);
    expect(loaded).to.deep.include(upgraded);
    expect(none).to.equal(null);
    expect((await read.query('counter', {})).documents[0]).to.deep.include(upgraded);
    for await (const document of read.scan('counter')) expect(document).to.deep.include(upgraded);
    expect(await stored(), 'what is stored').to.deep.include({ schema: 1, state: { value: 3 } });
  });

  it('must be one that the program can read', async () => {
    const kind = precise(false);
    const { messenger } = await nodes.start([kind]);
    void messenger.tell(kind, 'a', 'touch', {});
    await refusal('counter cannot read schema 1');
  });

  it('vouches for the shape of what is stored', async () => {
    const before = await stored();
    await nodes.embedded.store.save([{ ...before, version: before.version + 1, state: { value: 'three' } }]);
    const { messenger } = await nodes.start([counter()]);
    void messenger.tell(counter(), 'a', 'add', { n: 1 });
    await refusal('the saved state of counter/a breaks its schema');
  });
});

import { expect } from 'chai';
import { ActorTimeout, Overloaded, Parked, Rejected } from '#runtime/actor/errors';
import { encodeEnvelope } from '#runtime/node/envelope';
import type { ActorNode } from '#runtime/node/node';
import { eventually } from '../../support/eventually.ts';
import { counter } from './counter.ts';
import { RunningNodes } from './running-nodes.ts';

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('resolved'),
    (error: Error) => error,
  );

describe('tell and ask', () => {
  const kind = counter();
  let nodes: RunningNodes;
  let node: ActorNode;
  beforeEach(async () => {
    nodes = await RunningNodes.open();
    node = await nodes.start([kind]);
  });
  afterEach(() => nodes.close());

  it('read their own writes', async () => {
    const { messenger } = node;
    expect(await messenger.ask(kind, 'a', 'add', { n: 2 })).to.deep.equal({ value: 2 });
    const [document] = await nodes.embedded.store.load([{ kind: 'counter', id: 'a' }]);
    expect(document).to.deep.include({ version: 1, state: { value: 2 } });
    await messenger.tell(kind, 'a', 'add', { n: 3 });
    expect(await messenger.ask(kind, 'a', 'read', {})).to.deep.equal({ value: 5 });
  });

  it('keep the order of the calls', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => node.messenger.ask(kind, 'a', 'add', { n: 1 })),
    );
    expect(answers).to.deep.equal(Array.from({ length: 100 }, (_, index) => ({ value: index + 1 })));
  });

  it('refuse at once what the kind does not understand', async () => {
    const { messenger } = node;
    const sends: ((...message: Parameters<typeof messenger.tell>) => Promise<unknown>)[] = [
      messenger.tell,
      messenger.ask,
    ];
    for (const send of sends) {
      const wrong = await failure(send(kind, 'a', 'add', { n: 1.5 }));
      expect(wrong).to.be.instanceOf(Rejected).and.include({ code: 'VALIDATION_ERROR' });
      expect(wrong.message).to.contain('add to counter: /n');
      expect(wrong).to.have.deep.property('details', { field: 'n' });
      expect(await failure(send(kind, 'a', 'add', null))).to.be.instanceOf(Rejected);
      expect((await failure(send(kind, 'a', 'multiply', {}))).message).to.equal('counter knows no message multiply');
      const stranger = counter({ kind: 'stranger' });
      expect((await failure(send(stranger, 'a', 'add', { n: 1 }))).message).to.equal(
        'no kind stranger is defined in this process',
      );
    }
    expect(await nodes.unhandled()).to.equal(0);
    expect(await nodes.embedded.store.load([{ kind: 'counter', id: 'a' }])).to.deep.equal([null]);
  });

  it('are refused by the reducer without a change', async () => {
    const { messenger } = node;
    await messenger.ask(kind, 'a', 'add', { n: 7 });
    const refused = await failure(messenger.ask(kind, 'a', 'refuse', { code: 'CONFLICT' }));
    expect(refused).to.be.instanceOf(Rejected).and.include({ code: 'CONFLICT', message: 'refused' });
    expect(refused).to.have.deep.property('details', { value: 7 });
    expect(await messenger.ask(kind, 'a', 'read', {})).to.deep.equal({ value: 7 });
  });

  it('are parked when the reducer fails or spoils its state, and the actor goes on', async () => {
    const { messenger, deadLetters } = node;
    await messenger.ask(kind, 'a', 'add', { n: 7 });
    const failed = await failure(messenger.ask(kind, 'a', 'fail', {}, { requestId: 'r1' }));
    expect(failed).to.be.instanceOf(Parked);
    expect(failed.message).to.contain('the reducer failed');
    const again = await failure(messenger.ask(kind, 'a', 'fail', {}, { requestId: 'r1' }));
    expect(again).to.be.instanceOf(Parked);
    const spoilt = await failure(messenger.ask(kind, 'a', 'spoil', {}));
    expect(spoilt).to.be.instanceOf(Parked);
    expect(spoilt.message).to.contain('the next state breaks its schema: invalid at /value');
    expect(await messenger.ask(kind, 'a', 'add', { n: 1 })).to.deep.equal({ value: 8 });
    const letters = await deadLetters.list({ limit: 10 });
    expect(letters.map(({ to, type }) => `${to} ${type}`)).to.deep.equal(['counter/a fail', 'counter/a spoil']);
    expect(await nodes.metric('actor_dead_letters_total')).to.equal(2);
  });

  it('park what this release does not understand, and handle what comes after', async () => {
    const { log } = nodes.embedded.log;
    const payloads = [
      'no envelope',
      '{"to":"counter/a"}',
      encodeEnvelope({ to: 'stranger/a', type: 'add', body: {} }),
      encodeEnvelope({ to: 'counter/a', type: 'multiply', body: {} }),
      encodeEnvelope({ to: 'counter/a', type: 'add', body: { n: 'one' } }),
      encodeEnvelope({ to: 'counter/a', type: 'add', body: { n: 1 } }),
    ];
    await log.append(0, payloads);
    const parked = () => node.deadLetters.list({ limit: 10 });
    await eventually('the letters', async () => (await parked()).length === 5);
    const letters = await parked();
    for (const [index, reason] of [
      /^unreadable: /,
      /^unreadable: not an envelope/,
      /^no actor stranger\/a is known here/,
      /^counter knows no message multiply/,
      /^invalid at \/n: /,
    ].entries()) {
      expect(letters[index]!.reason).to.match(reason);
      expect(letters[index]!.payload).to.equal(payloads[index]);
    }
    await eventually('what came after', async () => {
      const [document] = await nodes.embedded.store.load([{ kind: 'counter', id: 'a' }]);
      return (document?.state as { value: number } | undefined)?.value === 1;
    });
  });

  it('give a request that is asked again its first answer', async () => {
    const { messenger } = node;
    const request = { requestId: 'r1' };
    expect(await messenger.ask(kind, 'a', 'add', { n: 1 }, request)).to.deep.equal({ value: 1 });
    await messenger.ask(kind, 'a', 'add', { n: 10 });
    expect(await messenger.ask(kind, 'a', 'add', { n: 1 }, request)).to.deep.equal({ value: 1 });
    await node.stop();
    const { messenger: later } = await nodes.start([kind]);
    expect(await later.ask(kind, 'a', 'add', { n: 1 }, request)).to.deep.equal({ value: 1 });
    expect(await later.ask(kind, 'a', 'read', {})).to.deep.equal({ value: 11 });
  });

  it('are asked again where replies may have been lost, and are done once', async () => {
    await node.stop();
    const { log: provider } = nodes.embedded;
    let lost = 0;
    let missed: () => void = () => {};
    const replies: typeof provider.replies = {
      listen: (address, receive, told = () => {}) => {
        missed = told;
        return provider.replies.listen(address, receive);
      },
      send: async (address, payload) => {
        lost += 1;
        if (lost > 1) return provider.replies.send(address, payload);
        missed();
      },
    };
    const deaf = { ...provider, replies, healthy: () => provider.healthy(), close: () => provider.close() };
    const { messenger } = await nodes.start([kind], { provider: deaf });
    expect(await messenger.ask(kind, 'a', 'add', { n: 1 }, { timeoutMs: 60_000 })).to.deep.equal({ value: 1 });
    expect(lost).to.equal(2);
    expect(await messenger.ask(kind, 'a', 'read', {})).to.deep.equal({ value: 1 });
  });

  it('time out where no node hosts the actor, and take effect once one does', async () => {
    await node.stop();
    const sender = await nodes.start([kind], { hostsActors: false });
    const unanswered = await failure(sender.messenger.ask(kind, 'a', 'add', { n: 1 }, { timeoutMs: 30 }));
    expect(unanswered).to.be.instanceOf(ActorTimeout);
    const host = await nodes.start([kind]);
    expect(await host.messenger.ask(kind, 'a', 'read', {})).to.deep.equal({ value: 1 });
  });

  it('are refused past the bounds, sending nothing', async () => {
    await node.stop();
    const tuning = { maxAsks: 1, maxPartitionLength: 2, askTimeoutMs: 50 };
    const { messenger } = await nodes.start([kind], { hostsActors: false, tuning });
    const first = failure(messenger.ask(kind, 'a', 'add', { n: 1 }));
    expect(await failure(messenger.ask(kind, 'a', 'add', { n: 1 }))).to.be.instanceOf(Overloaded);
    expect(await first).to.be.instanceOf(ActorTimeout);
    await messenger.tell(kind, 'a', 'add', { n: 1 });
    expect(await failure(messenger.tell(kind, 'a', 'add', { n: 1 }))).to.be.instanceOf(Overloaded);
    expect(await failure(messenger.ask(kind, 'a', 'add', { n: 1 }))).to.be.instanceOf(Overloaded);
    expect(await nodes.unhandled()).to.equal(2);
  });
});

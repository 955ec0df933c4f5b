import { expect } from 'chai';
import Type from 'typebox';
import { defineActor } from '#runtime/actor/define-actor';
import { Activation } from '#runtime/node/activation';
import { KindRegistry } from '#runtime/node/kind-registry';
import { NO_BROKEN_LAWS } from '#runtime/node/laws';

const DAY_MS = 86_400_000;

const price = defineActor({
  kind: 'price',
  schemaVersion: 1,
  saving: 'eager',
  state: Type.Object({ cents: Type.Integer(), note: Type.String() }),
  messages: { set: Type.Object({ cents: Type.Integer() }) },
  initial: () => ({ cents: 0, note: 'x'.repeat(2_000) }),
  handlers: { set: (state, body) => ({ state: { ...state, ...body }, reply: { ...state, ...body } }) },
});

describe('kept replies', () => {
  const kind = new KindRegistry([price], 1).find('price')!;
  const begun = 1_800_000_000_000;
  const open = (document: ReturnType<Activation['document']> | null = null) =>
    new Activation(kind, 'one', 0, document, NO_BROKEN_LAWS);

  /** Asks; resolves with the cents that it was answered. */
  function ask(activation: Activation, number: number, requestId: string, atMs = begun + number): number {
    const asking = { askId: 'a', requestId, replyTo: 'me', keepMs: DAY_MS };
    const envelope = { to: 'price/one', type: 'set', body: { cents: number }, from: '', sequence: '', ask: asking };
    activation.handle({ position: `${atMs}-0`, payload: '', index: 0 }, envelope, DAY_MS);
    const [reply] = activation.replies.splice(0);
    return JSON.parse(reply!.payload)[1].value.cents;
  }

  it('answer a request that is asked again for as long as they are kept', () => {
    const activation = open();
    expect(ask(activation, 1, 'first')).to.equal(1);
    expect(ask(activation, 2, 'second')).to.equal(2);
    const loaded = open(activation.document('writer'));
    expect(ask(loaded, 3, 'first')).to.equal(1);
    expect(ask(loaded, 4, 'third', begun + DAY_MS + 10)).to.equal(4);
    expect(Object.keys(loaded.document('writer').replies)).to.deep.equal(['third']);
  });

  it('leave the document small enough for every store, however many requests a day brings, the newest staying', () => {
    let activation = open();
    for (let number = 0; number < 10_000; number++) {
      ask(activation, number, `request-${number}`);
      if (number % 4_000 === 0) activation = open(activation.document('writer'));
    }
    expect(JSON.stringify(activation.document('writer')).length).to.be.within(500_000, 1_100_000);
    expect(ask(activation, 0, 'request-9999', begun + 20_000)).to.equal(9_999);
    expect(ask(activation, 0, 'request-9700', begun + 20_001)).to.equal(9_700);
  });
});

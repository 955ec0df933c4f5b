import { expect } from 'chai';
import fc from 'fast-check';
import Type from 'typebox';
import { type AnyActorDefinition, defineActor } from '#runtime/actor/define-actor';
import { hashAddress, KindRegistry } from '#runtime/node/kind-registry';

const plain = (kind: string, changes: Partial<AnyActorDefinition> = {}) =>
  defineActor({
    kind,
    schemaVersion: 1,
    saving: 'eager',
    state: Type.Object({}),
    messages: { touch: Type.Object({}) },
    initial: () => ({}),
    handlers: { touch: () => undefined },
    ...changes,
  });

describe('kinds of actors', () => {
  /** Another hash would look for every stored actor's messages in the wrong partition. */
  it('place addresses by a hash that never changes', () => {
    const golden: readonly [address: string, hash: number][] = [
      ['', 2872998923],
      ['a', 444641715],
      ['counter/a', 4202881044],
      ['publisher/00000000-0000-4000-8000-00000000000a', 4273877807],
      ['ledger/publisher:p1:2026-03-14', 3282959246],
      ['name/Zürich €', 2723235878],
      ['0@fra-1.abcdefghijklmnopqrstuv', 4198924243],
    ];
    for (const [address, hash] of golden) expect(hashAddress(address), address).to.equal(hash);
  });

  it('spread addresses over all partitions', () => {
    const kinds = new KindRegistry([plain('counter')], 64);
    const counts = new Array(64).fill(0);
    for (let id = 0; id < 6_400; id++) counts[kinds.partitionOf(`counter/${id}`)]++;
    expect(Math.min(...counts)).to.be.above(50);
    expect(Math.max(...counts)).to.be.below(160);
  });

  it('give every address a partition, of kinds that are not known too', () => {
    const kinds = new KindRegistry([plain('counter')], 7);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
        for (const address of [text, `counter/${text}`]) {
          const partition = kinds.partitionOf(address);
          expect(Number.isInteger(partition) && partition >= 0 && partition < 7).to.equal(true);
        }
      }),
    );
  });

  it('may choose the partition by the id', () => {
    const kinds = new KindRegistry([plain('tally', { partitionOf: (id, partitions) => Number(id) % partitions })], 8);
    expect(kinds.partitionOf('tally/3')).to.equal(3);
    expect(kinds.partitionOf('tally/11')).to.equal(3);
  });

  it('take addresses apart at the first slash', () => {
    const kinds = new KindRegistry([plain('counter')], 8);
    expect(kinds.parseAddress('counter/a/b')?.id).to.equal('a/b');
    expect(kinds.parseAddress('counter/a/b')?.kind).to.equal(kinds.find('counter'));
    for (const address of ['other/a', 'counter', '', '/', '/counter/a']) {
      expect(kinds.parseAddress(address), address).to.equal(undefined);
    }
  });

  it('have names of their own', () => {
    expect(() => new KindRegistry([plain('counter'), plain('counter')], 8)).to.throw(
      'two kinds of actors are named counter',
    );
  });
});

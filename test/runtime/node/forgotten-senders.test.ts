import { expect } from 'chai';
import { BSON } from 'mongodb';
import Type from 'typebox';
import { defineActor } from '#runtime/actor/define-actor';
import { Activation } from '#runtime/node/activation';
import { KindRegistry } from '#runtime/node/kind-registry';
import { NO_BROKEN_LAWS } from '#runtime/node/laws';
import { documentToRest } from '#runtime/providers/mongodb/document-at-rest';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BEGUN = 1_800_000_000_000;

/** A kind that counts what it hears. */
const hub = (kind: string, forgets: { readonly forgetActorsMs?: number }) =>
  defineActor({
    kind,
    schemaVersion: 1,
    saving: 'eager',
    state: Type.Object({ count: Type.Integer() }),
    messages: { heard: Type.Object({}) },
    initial: () => ({ count: 0 }),
    handlers: { heard: ({ count }) => ({ state: { count: count + 1 } }) },
    ...forgets,
  });

const kinds = new KindRegistry([hub('forgetful', { forgetActorsMs: DAY_MS }), hub('faithful', {})], 1);

/** One actor, and what it remembers of who sent to it. */
class Hub {
  readonly #kind: string;
  readonly activation: Activation;
  #sent = 0;

  constructor(kind: string, of: Hub | null = null) {
    this.#kind = kind;
    this.#sent = of === null ? 0 : of.#sent;
    const stored = of && JSON.parse(JSON.stringify(of.activation.document('a node')));
    this.activation = new Activation(kinds.find(kind)!, 'one', 0, stored, NO_BROKEN_LAWS);
  }

  /** Whether a message of this sender was handled, and not taken for a repetition. */
  hears(from: string, atMs: number, sequence = '1'): boolean {
    const position = `${atMs}-${this.#sent++}`;
    const envelope = { to: `${this.#kind}/one`, type: 'heard', body: {}, from, sequence, ask: null };
    const { outcome } = this.activation.handle({ position, payload: '', index: 0 }, envelope, DAY_MS);
    return outcome === 'applied';
  }

  /** Hears of so many other actors, spread over a time. */
  hearsOthers(count: number, fromMs: number, overMs: number): void {
    for (let n = 0; n < count; n++) this.hears(`source/other-${n}`, fromMs + Math.floor((n * overMs) / count));
  }

  get remembered(): string[] {
    return Object.keys(this.activation.document('a node').received);
  }
}

describe('the senders that an actor remembers', () => {
  it('are the newest 10,000 actors where a kind may forget actors', () => {
    const one = new Hub('forgetful');
    one.hears('source/first', BEGUN);
    one.hearsOthers(25_000, BEGUN, 10 * HOUR_MS);
    expect(one.remembered).to.have.length(10_000);
    expect(one.hears('source/other-24999', BEGUN + 10 * HOUR_MS), 'a repetition of a late one').to.equal(false);
    expect(one.hears('source/other-15000', BEGUN + 10 * HOUR_MS), 'a repetition of the oldest').to.equal(false);
    expect(one.hears('source/first', BEGUN + 10 * HOUR_MS), 'what was forgotten').to.equal(true);
  });

  it('are more where these have sent within ten minutes', () => {
    const one = new Hub('forgetful');
    one.hearsOthers(12_000, BEGUN, 9 * 60_000);
    expect(one.remembered).to.have.length(12_000);
    expect(one.hears('source/other-0', BEGUN + 9 * 60_000)).to.equal(false);
    one.hears('source/late', BEGUN + HOUR_MS);
    expect(one.remembered).to.have.length(10_000).and.include('source/late');
  });

  it('are processes in any case, for as long as they may send again', () => {
    const one = new Hub('forgetful');
    one.hears('a-process', BEGUN, '7');
    one.hearsOthers(15_000, BEGUN, 10 * HOUR_MS);
    expect(one.remembered).to.have.length(10_000).and.include('a-process');
    expect(one.hears('a-process', BEGUN + 10 * HOUR_MS, '7')).to.equal(false);
  });

  it('are all actors for ever where a kind may not forget them', () => {
    const one = new Hub('faithful');
    one.hearsOthers(12_000, BEGUN, 10 * HOUR_MS);
    expect(one.remembered).to.have.length(12_000);
    expect(one.hears('source/other-0', BEGUN + 365 * DAY_MS)).to.equal(false);
  });

  it('take at most 1.5 MB of its document', () => {
    const one = new Hub('forgetful');
    for (let n = 0; n < 15_000; n++) {
      const atMs = BEGUN + n * 1_000;
      one.hears(`creative-rule/${String(n).padStart(36, '0')}`, atMs, `${atMs}-0#1`);
    }
    expect(BSON.calculateObjectSize(documentToRest(one.activation.document('a node')))).to.be.below(1_500_000);
  });

  it('are fewer again once a document that lists too many is loaded', () => {
    const before = new Hub('forgetful');
    before.hearsOthers(40_000, BEGUN, 9 * 60_000);
    const after = new Hub('forgetful', before);
    after.hears('source/late', BEGUN + HOUR_MS);
    expect(after.remembered).to.have.length(10_000).and.include('source/late');
    expect(after.hears('source/other-39999', BEGUN + HOUR_MS)).to.equal(false);
  });
});

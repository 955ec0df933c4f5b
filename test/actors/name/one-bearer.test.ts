import { expect } from 'chai';
import fc from 'fast-check';
import { name } from '#actors/name/name';
import { type NameClaimReply, type NameState, PROVISIONAL_CLAIM_MS } from '#actors/name/reduce';
import type { NameClaim } from '#actors/name/reservation';
import { pool } from '#actors/pool/pool';
import { type PoolState, poolNameId } from '#actors/pool/reduce';
import { Rejection } from '#runtime/actor/rejection';

/** A message on its way: from whom decides in which order it arrives, since each sender's messages stay in order. */
interface Travelling {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly body: unknown;
  readonly answered?: (answer: unknown) => void;
}

const definitions = { name, pool } as const;
const words = ['x', 'y', 'z'];
const bearers = ['A', 'B', 'C'];
const nameIds = new Map(words.map((word) => [word, poolNameId({ accountId: 'a', name: word })]));

/** Names and pools in one pot: messages travel as long as they like, and the caller may die between any two steps. */
class Pot {
  readonly states = new Map<string, unknown>();
  travelling: Travelling[] = [];
  nowMs = 1_800_000_000_000;
  #flows = 0;

  stateOf<State>(address: string): State {
    const [kind, id] = split(address);
    return (this.states.get(address) ?? definitions[kind].initial(id)) as State;
  }

  /** Delivers the oldest message of one of the pairs that have any. */
  deliver(choice: number): void {
    const heads = this.travelling.filter(
      (message, index) =>
        this.travelling.findIndex(({ from, to }) => from === message.from && to === message.to) === index,
    );
    const message = heads[choice % Math.max(1, heads.length)];
    if (message === undefined) return;
    this.travelling = this.travelling.filter((other) => other !== message);
    const [kind, id] = split(message.to);
    const context = { id, address: message.to, nowMs: this.nowMs, position: `${this.nowMs}-0`, random: () => 0 };
    const state = this.stateOf(message.to) as never;
    const outcome = definitions[kind].handle(state, { type: message.type, body: message.body } as never, context) ?? {};
    if (!(outcome instanceof Rejection)) {
      if (outcome.state !== undefined) this.states.set(message.to, outcome.state ?? definitions[kind].initial(id));
      for (const { to, type, body } of outcome.sends ?? []) this.travelling.push({ from: message.to, to, type, body });
    }
    message.answered?.(outcome instanceof Rejection ? outcome : outcome.reply);
  }

  /** What the API does to give `bearer` the name `word`: claims it and, once that is granted, asks the bearer. */
  begin(bearer: string, word: string): void {
    const from = `flow ${++this.#flows}`;
    const holder = `pool/${bearer}`;
    const nameId = nameIds.get(word)!;
    const claimed = (answer: unknown): void => {
      if (answer instanceof Rejection || 'asked' in (answer as NameClaimReply)) return;
      const { claim, heldUntilMs } = answer as { claim: string; heldUntilMs: number | null };
      const nameClaim: NameClaim = { nameId, claim, heldUntilMs };
      const exists = this.stateOf<PoolState>(holder).accountId !== '';
      const scope = { accountId: 'a', partnerId: null, sandboxOnly: false };
      const creation = { accountId: 'a', name: word, description: '', floorCpmMicros: 0, nameClaim };
      const taken = (outcome: unknown): void => {
        if (!(outcome instanceof Rejection) || heldUntilMs === null) return;
        const body = { holder, claim, heldUntilMs };
        this.travelling.push({ from, to: `name/${nameId}`, type: 'release', body });
      };
      this.travelling.push({
        from,
        to: holder,
        type: exists ? 'update' : 'create',
        body: exists ? { scope, changes: { name: word }, nameClaim } : creation,
        answered: taken,
      });
    };
    const body = { holder, claim: from };
    this.travelling.push({ from, to: `name/${nameId}`, type: 'claim', body, answered: claimed });
  }

  /** Its messages that have left arrive; their answers are lost. */
  killFlows(): void {
    this.travelling = this.travelling.map(({ answered: _, ...message }) => message);
  }

  bearersOf(word: string): string[] {
    const wanted = nameIds.get(word);
    return bearers.filter((bearer) => this.stateOf<PoolState>(`pool/${bearer}`).borneName?.nameId === wanted);
  }

  settle(): void {
    while (this.travelling.length > 0) this.deliver(0);
  }
}

function split(address: string): ['name' | 'pool', string] {
  const slash = address.indexOf('/');
  return [address.slice(0, slash) as 'name' | 'pool', address.slice(slash + 1)];
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('begin'), of: fc.nat(), word: fc.nat() }) },
  { weight: 12, arbitrary: fc.record({ does: fc.constant('deliver'), of: fc.nat(), word: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('kill'), of: fc.constant(0), word: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('wait'), of: fc.nat(), word: fc.constant(0) }) },
);

describe('actors/name: one bearer', () => {
  it('at every moment a name has at most one bearer, and in the end exactly the names that are borne are held', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
        const pot = new Pot();
        for (const { does, of, word } of steps) {
          if (does === 'begin') pot.begin(bearers[of % bearers.length]!, words[word % words.length]!);
          else if (does === 'deliver') pot.deliver(of);
          else if (does === 'kill') pot.killFlows();
          else pot.nowMs += of % (2 * PROVISIONAL_CLAIM_MS);
          const several = words.filter((one) => pot.bearersOf(one).length > 1);
          expect(several, `names with several bearers: ${several}`).to.have.length(0);
        }

        pot.settle();
        pot.nowMs += 10 * PROVISIONAL_CLAIM_MS;
        for (const one of words) {
          const [bearer] = pot.bearersOf(one);
          const nameId = nameIds.get(one)!;
          // Twice: the first may only ask the holder of claims that lapsed.
          for (const time of ['first', 'second']) {
            const body = { holder: 'pool/newcomer', claim: `${time} claim` };
            pot.travelling.push({ from: 'newcomer', to: `name/${nameId}`, type: 'claim', body });
            pot.settle();
          }
          const { holder } = pot.stateOf<NameState>(`name/${nameId}`);
          expect(holder).to.equal(bearer === undefined ? 'pool/newcomer' : `pool/${bearer}`);
        }
      }),
      { numRuns: 500 },
    );
  });
});

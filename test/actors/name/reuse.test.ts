import { expect } from 'chai';
import { name } from '#actors/name/name';
import { Activation } from '#runtime/node/activation';
import { decodeEnvelope, encodeEnvelope } from '#runtime/node/envelope';
import { KindRegistry } from '#runtime/node/kind-registry';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** A name as its partition's owner holds it, told by the holders' outboxes. */
class TakenInTurn {
  #nowMs = Date.UTC(2026, 0, 31);
  #number = 0;
  readonly activation: Activation;

  constructor() {
    const kind = new KindRegistry([name], 4).parseAddress('name/n')!.kind;
    this.activation = new Activation(kind, 'n', 0, null, new Set());
  }

  wait(ms: number): void {
    this.#nowMs += ms;
  }

  /** A message of the holder's outbox, with the number that it had when it was first sent. */
  tell(holder: string, type: 'confirm' | 'release', cause = this.#number): void {
    const body = { holder, claim: `claim of ${holder}` };
    const sequence = `${String(cause).padStart(13, '1')}-0#0`;
    const payload = encodeEnvelope({ to: 'name/n', type, body, from: holder, sequence });
    const entry = { position: `${this.#nowMs}-${this.#number++}`, payload, index: 0 };
    this.activation.handle(entry, decodeEnvelope(payload), DAY_MS);
  }

  get isTaken(): boolean {
    const { claims } = this.activation.state as { claims: object };
    return Object.keys(claims).length > 0;
  }

  get characters(): number {
    return JSON.stringify(this.activation.document('w')).length;
  }
}

describe('actors/name that is taken again and again', () => {
  it('does not remember all who ever had it', () => {
    const taken = new TakenInTurn();
    const hours = 24;
    let most = 0;
    for (let hour = 0; hour < hours; hour++) {
      for (let turn = 0; turn < 60; turn++) {
        const holder = `publisher/${hour}-${turn}`;
        taken.tell(holder, 'confirm');
        taken.tell(holder, 'release');
        taken.wait(HOUR_MS / 60);
      }
      if (hour === 2) most = taken.characters;
    }
    expect(taken.isTaken).to.equal(false);
    expect(taken.characters).to.be.below(1.2 * most);
  });

  it('knows a repetition that comes late, and one from a holder’s leftovers whenever it comes', () => {
    const taken = new TakenInTurn();
    taken.tell('publisher/a', 'confirm', 1);
    taken.tell('publisher/a', 'release', 2);
    taken.wait(HOUR_MS / 2);
    taken.tell('publisher/a', 'confirm', 1);
    expect(taken.isTaken, 'a delayed confirmation').to.equal(false);
    taken.tell('publisher/b', 'confirm', 3);
    taken.wait(30 * DAY_MS);
    // Saved with its archive, and published once more by the node that loads it.
    taken.tell('publisher/a', 'release', 2);
    taken.tell('publisher/b', 'confirm', 3);
    expect(taken.isTaken).to.equal(true);
    taken.tell('publisher/b', 'release', 4);
    expect(taken.isTaken).to.equal(false);
  });
});

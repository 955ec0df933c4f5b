import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import type { Send } from '../../runtime/actor/context.ts';
import type { AnyActorDefinition } from '../../runtime/actor/define-actor.ts';
import { Rejection } from '../../runtime/actor/rejection.ts';

export interface Step {
  readonly type: string;
  readonly body: unknown;
  /** Log time, ms after the case's beginning; the time of the step before when absent. */
  readonly atMs?: number;
}

/** One actor's story as plain data: what came before, the message, and what it does. */
export interface ActorCase {
  readonly title: string;
  readonly given?: readonly Step[];
  readonly when: Step;
  readonly does: {
    /** Fields of the next state; null when the actor is gone; `same` when nothing changed. */
    readonly state?: Readonly<Record<string, unknown>> | null | 'same';
    readonly reply?: unknown;
    readonly sends?: readonly Send[];
    /** The code of the refusal. */
    readonly rejected?: string;
    /** Fields of the projection; null when replicas hold none. */
    readonly view?: Readonly<Record<string, unknown>> | null;
  };
}

/** Cases begin here. */
export const beginningMs = Date.UTC(2026, 0, 31, 12);

/** Registers one test for each case; every state met on the way must satisfy the kind's own schema. */
export function runActorCases(kind: AnyActorDefinition, id: string, cases: readonly ActorCase[]): void {
  const stateSchema = Compile(kind.state);

  for (const { title, given = [], when, does } of cases) {
    it(title, () => {
      let state = kind.initial(id);
      let nowMs = beginningMs;
      let sequence = 0;

      const handle = (step: Step) => {
        nowMs = step.atMs === undefined ? nowMs : beginningMs + step.atMs;
        const position = `${nowMs}-${sequence++}`;
        const schema = kind.messages[step.type];
        expect(schema, `message ${step.type}`).to.be.an('object');
        expect(Compile(schema!).Errors(step.body), `body of ${step.type}`).to.deep.equal([]);
        const frozen = deepFreeze(structuredClone(state));
        const message = { type: step.type, body: step.body } as never;
        const outcome = kind.handle(frozen, message, {
          id,
          address: `${kind.kind}/${id}`,
          nowMs,
          position,
          random: () => 0.5,
        });
        return { before: frozen, outcome: outcome ?? {} };
      };

      for (const step of given) {
        const { outcome } = handle(step);
        if (outcome instanceof Rejection) throw new Error(`given ${step.type} was refused: ${outcome.message}`);
        if (outcome.state !== undefined) state = outcome.state ?? kind.initial(id);
      }

      const { before, outcome } = handle(when);
      if (outcome instanceof Rejection) {
        expect(outcome.code).to.equal(does.rejected ?? 'no refusal', outcome.message);
        return;
      }
      expect(does.rejected, 'a refusal was expected').to.equal(undefined);
      const next = outcome.state === undefined ? before : outcome.state;
      if (next !== null) expect(stateSchema.Errors(next)).to.deep.equal([]);
      if (does.state === 'same') expect(next).to.deep.equal(before);
      else if (does.state === null) expect(next).to.equal(null);
      else if (does.state !== undefined) expect(next).to.deep.include(does.state);
      if (does.reply !== undefined) expect(outcome.reply).to.deep.equal(does.reply);
      expect(outcome.sends ?? []).to.deep.equal(does.sends ?? []);
      if (does.view === null) expect(kind.projection?.(next, id)).to.equal(null);
      else if (does.view !== undefined) expect(kind.projection?.(next, id)).to.deep.include(does.view);
    });
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}

import Type from 'typebox';
import { Scope } from './account/scope.ts';

/**
 * The generation of a source's sandbox ledgers, part of their names (see ledger-id.ts). A flush raises it: from then on
 * all readers read, and edges report to, empty ledgers. So a flush takes effect at once, and late messages with earlier
 * counts never show again.
 */
export const SandboxGeneration = Type.Integer({ minimum: 0 });

export const sandboxGenerationMessages = {
  /** Hides all sandbox figures of the source, archived or not; the revision stays. Answers the state. */
  'flush-sandbox': Type.Object({ scope: Scope }),
};

export function withSandboxFlushed<State extends { readonly sandboxGeneration: number }>(state: State): State {
  return { ...state, sandboxGeneration: state.sandboxGeneration + 1 };
}

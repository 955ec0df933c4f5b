import Type from 'typebox';
import { Scope } from './account/scope.ts';

/**
 * A source's sandbox figures are kept in ledgers that are named with its sandbox generation (see ledger-id.ts). Flushing
 * them raises it: from then on everybody reads, and edges tell, empty ledgers. So a flush takes effect at once, and
 * nothing that was counted before and arrives late can show again.
 */
export const SandboxGeneration = Type.Integer({ minimum: 0 });

export const sandboxGenerationMessages = {
  /** Puts all sandbox figures of the source out of sight, archived or not; it is no new revision. Answers the state. */
  'flush-sandbox': Type.Object({ scope: Scope }),
};

export function withSandboxFlushed<State extends { readonly sandboxGeneration: number }>(state: State): State {
  return { ...state, sandboxGeneration: state.sandboxGeneration + 1 };
}

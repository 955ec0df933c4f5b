import Type, { type Static } from 'typebox';
import type { Context } from '../../runtime/actor/context.ts';
import type { Effects } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { ExpectedRevisions, type Revisioned, revisionConflict, withNextRevision } from '../revision.ts';

/** The number of recovery codes, which replace a lost authenticator, each once. */
export const RECOVERY_CODES = 10;

/** SHA-256, hex. */
const RecoveryHash = Type.String({ minLength: 1, maxLength: 64 });
const RecoveryHashes = Type.Array(RecoveryHash, { maxItems: RECOVERY_CODES });
const SealedSecret = Type.String({ minLength: 1, maxLength: 1_024 });
const FactorId = Type.String({ minLength: 1, maxLength: 64 });
/** The time step of RFC 6238 §4.2: whole periods of 30 s since the epoch. */
const Step = Type.Integer({ minimum: 0 });

/** The second factor of a user beside the password: time-based codes (RFC 6238). */
export const SecondFactor = Type.Object({
  /** The id of this setup, different from earlier and later ones. */
  id: FactorId,
  /** The shared secret, sealed by the gateway. */
  sealedSecret: SealedSecret,
  /** True once the user has shown a code: logging in requires codes from then on. */
  confirmed: Type.Boolean(),
  /** The step of the last accepted code; codes of it and of earlier steps are used up (RFC 6238 §5.2). */
  lastStep: Step,
  /** The hashes of the unused recovery codes. */
  recoveryHashes: RecoveryHashes,
});
export type SecondFactor = Static<typeof SecondFactor>;

/**
 * A proof that a gateway has verified: the code of a step, or a recovery code. The actor decides whether it was used
 * before.
 */
export const FactorProof = Type.Union([
  Type.Object({ factorId: FactorId, step: Step }),
  Type.Object({ factorId: FactorId, recoveryHash: RecoveryHash }),
]);
export type FactorProof = Static<typeof FactorProof>;

export const secondFactorMessages = {
  /** Replaces a factor that was not confirmed; CONFLICT where one was. Answers null. */
  'enrol-second-factor': Type.Object({
    factorId: FactorId,
    sealedSecret: SealedSecret,
    recoveryHashes: RecoveryHashes,
  }),
  /**
   * Confirms the factor with the code of this step. Ends all sessions. CONFLICT when it is not the factor that waits.
   * Answers the state.
   */
  'confirm-second-factor': Type.Object({ factorId: FactorId, step: Step }),
  /** Uses the proof up. Answers true when it was unused and the factor is still the user's. */
  'use-second-factor': Type.Object({ proof: FactorProof }),
  /** Removal by the user; CONFLICT when the proof was used. Answers the state. */
  'remove-second-factor': Type.Object({ proof: FactorProof }),
  /** Removal by an operator, confirmed or not. Answers the state, also when there is none. */
  'reset-second-factor': Type.Object({ expecting: ExpectedRevisions }),
  /** The same secret, sealed under the present master secret; nothing happens unless `from` is still stored. */
  'reseal-second-factor': Type.Object({ from: SealedSecret, sealed: SealedSecret }),
};

interface SecondFactorHolder extends Revisioned {
  readonly sessionEpoch: number;
  /** Absent in states from before there were second factors. */
  readonly secondFactor?: SecondFactor | null;
}

/** The factor that logging in requires; null for a user who has none, or has not confirmed it. */
export function confirmedFactor({ secondFactor }: Pick<SecondFactorHolder, 'secondFactor'>): SecondFactor | null {
  return secondFactor?.confirmed ? secondFactor : null;
}

type Body<T extends keyof typeof secondFactorMessages> = Static<(typeof secondFactorMessages)[T]>;

export function enrolSecondFactor<State extends SecondFactorHolder>(
  state: State,
  { factorId: id, sealedSecret, recoveryHashes }: Body<'enrol-second-factor'>,
): Effects<State, null> | Rejection {
  if (confirmedFactor(state)) return reject('CONFLICT', 'There is a second factor already: remove it first.');
  const waiting: SecondFactor = { id, sealedSecret, confirmed: false, lastStep: 0, recoveryHashes };
  // The revision stays: the API shows no change of the user before the factor is confirmed.
  return { state: { ...state, secondFactor: waiting }, reply: null };
}

export function confirmSecondFactor<State extends SecondFactorHolder>(
  state: State,
  { factorId, step }: Body<'confirm-second-factor'>,
  context: Context,
): Effects<State, State> | Rejection {
  const waiting = state.secondFactor;
  if (!waiting || waiting.confirmed || waiting.id !== factorId) {
    return reject('CONFLICT', 'The second factor was confirmed or replaced meanwhile.');
  }
  const secondFactor: SecondFactor = { ...waiting, confirmed: true, lastStep: step };
  const confirmed = withNextRevision({ ...state, secondFactor, sessionEpoch: state.sessionEpoch + 1 }, context);
  return { state: confirmed, reply: confirmed };
}

export function useSecondFactor<State extends SecondFactorHolder>(
  state: State,
  { proof }: Body<'use-second-factor'>,
): Effects<State, boolean> {
  const secondFactor = withProofUsed(state, proof);
  return secondFactor === null ? { reply: false } : { state: { ...state, secondFactor }, reply: true };
}

export function removeSecondFactor<State extends SecondFactorHolder>(
  state: State,
  { proof }: Body<'remove-second-factor'>,
  context: Context,
): Effects<State, State> | Rejection {
  if (withProofUsed(state, proof) === null) return reject('CONFLICT', 'The code was used meanwhile.');
  return withoutFactor(state, context);
}

export function resetSecondFactor<State extends SecondFactorHolder>(
  state: State,
  { expecting }: Body<'reset-second-factor'>,
  context: Context,
): Effects<State, State> | Rejection {
  return revisionConflict(state, expecting) ?? withoutFactor(state, context);
}

export function resealSecondFactor<State extends SecondFactorHolder>(
  state: State,
  { from, sealed }: Body<'reseal-second-factor'>,
): Effects<State, null> {
  if (state.secondFactor?.sealedSecret !== from) return { reply: null };
  return { state: { ...state, secondFactor: { ...state.secondFactor, sealedSecret: sealed } }, reply: null };
}

/** The factor with this proof used up; null when it was used before, or proves another factor. */
function withProofUsed(state: SecondFactorHolder, proof: FactorProof): SecondFactor | null {
  const factor = confirmedFactor(state);
  if (factor === null || factor.id !== proof.factorId) return null;
  if ('step' in proof) return proof.step > factor.lastStep ? { ...factor, lastStep: proof.step } : null;
  const recoveryHashes = factor.recoveryHashes.filter((hash) => hash !== proof.recoveryHash);
  return recoveryHashes.length < factor.recoveryHashes.length ? { ...factor, recoveryHashes } : null;
}

function withoutFactor<State extends SecondFactorHolder>(state: State, context: Context): Effects<State, State> {
  if (!state.secondFactor) return { reply: state };
  const without = withNextRevision({ ...state, secondFactor: null }, context);
  return { state: without, reply: without };
}

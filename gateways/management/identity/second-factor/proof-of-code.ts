import type { FactorProof, SecondFactor } from '../../../../actors/user/second-factor.ts';
import { ApiError } from '../../../errors.ts';
import type { ManagementDeps } from '../../deps.ts';
import { SealBroken } from '../../secrets/sealer.ts';
import { recoveryHashOf } from './recovery-codes.ts';
import { secondFactorSealer } from './second-factor-sealer.ts';
import { stepOfCode } from './totp.ts';

type ProofDeps = Pick<ManagementDeps, 'secretKey' | 'previousSecretKeys' | 'clock'>;

/** A code as it may be typed: an app's with a gap in the middle, a recovery code with dashes. */
export const longestCode = 64;
const appCode = /^\d{6}$/;

/**
 * What this code of the app, or this recovery code, proves; null when it is wrong. Only the user's actor knows whether it was used.
 * CONFLICT when the secret was sealed under a master secret that is not ours any more: recovery codes hold then, too.
 */
export function proofOfCode(parts: ProofDeps, factor: SecondFactor, code: string): FactorProof | null {
  const step = totpStepOf(parts, factor, code);
  if (step !== null) return { factorId: factor.id, step };
  const recoveryHash = recoveryHashOf(code);
  if (recoveryHash === null || !factor.recoveryHashes.includes(recoveryHash)) return null;
  return { factorId: factor.id, recoveryHash };
}

/** The step of which this is the code; null when it is none. @throws ApiError CONFLICT as `proofOfCode` does */
export function totpStepOf(parts: ProofDeps, factor: SecondFactor, code: string): number | null {
  const digits = code.replaceAll(/\s/g, '');
  if (!appCode.test(digits)) return null;
  try {
    return stepOfCode(secondFactorSealer(parts).open(factor.sealedSecret), digits, parts.clock.now());
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    const message =
      'The second factor was sealed under another SECRET_KEY: a recovery code, or an operator, removes it.';
    throw new ApiError('CONFLICT', message);
  }
}

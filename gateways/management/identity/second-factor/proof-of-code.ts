import type { FactorProof, SecondFactor } from '#actors/user/second-factor';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';
import { SealBroken } from '../../secrets/sealer.ts';
import { recoveryHashOf } from './recovery-codes.ts';
import { secondFactorSealer } from './second-factor-sealer.ts';
import { stepOfCode } from './totp.ts';

type ProofDeps = Pick<ManagementDeps, 'secretKey' | 'previousSecretKeys' | 'clock'>;

/**
 * The length of the longest code as a person may type it: an app's code with a gap in the middle, or a recovery code
 * with dashes.
 */
export const longestCode = 64;
const appCode = /^\d{6}$/;

/**
 * The proof that a code of the app or a recovery code gives; null when the code is wrong. Only the user's actor knows
 * whether the code was used before. CONFLICT when the app's secret was sealed under a master secret that is no longer
 * known; recovery codes stay valid then.
 */
export function proofOfCode(deps: ProofDeps, factor: SecondFactor, code: string): FactorProof | null {
  const step = totpStepOf(deps, factor, code);
  if (step !== null) return { factorId: factor.id, step };
  const recoveryHash = recoveryHashOf(code);
  if (recoveryHash === null || !factor.recoveryHashes.includes(recoveryHash)) return null;
  return { factorId: factor.id, recoveryHash };
}

/**
 * The time step to which this code belongs; null when it belongs to none.
 * @throws ApiError CONFLICT as `proofOfCode` does
 */
export function totpStepOf(deps: ProofDeps, factor: SecondFactor, code: string): number | null {
  const digits = code.replaceAll(/\s/g, '');
  if (!appCode.test(digits)) return null;
  try {
    return stepOfCode(secondFactorSealer(deps).open(factor.sealedSecret), digits, deps.clock.now());
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    const message =
      'The second factor was sealed under another SECRET_KEY: a recovery code, or an operator, removes it.';
    throw new ApiError('CONFLICT', message);
  }
}

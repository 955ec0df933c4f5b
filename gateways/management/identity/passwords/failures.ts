import type { RateCount } from '../../../../runtime/ports/rates.ts';
import { ApiError } from '../../../errors.ts';
import type { ManagementParts } from '../../parts.ts';

/** Wrong passwords that are let pass in one window. */
const failuresAllowed = 10;
const windowMs = 15 * 60_000;

/** The wrong passwords shown of late, counted under each of `keys`, in all processes together. */
export function failures({ rates }: Pick<ManagementParts, 'rates'>, keys: readonly string[]) {
  const consume = (points: number) => Promise.all(keys.map((key) => rates.consume(key, points, windowMs)));
  return {
    /** RATE_LIMITED when there were too many under any of the keys. */
    async refuseTooMany(): Promise<void> {
      refuseFrom(failuresAllowed, await consume(0));
    },
    /**
     * Counts one more. RATE_LIMITED when it is one too many: many guesses may be judged at the same moment, and once right
     * ones are refused, to call the others wrong would tell which was right.
     */
    async failed(): Promise<void> {
      refuseFrom(failuresAllowed + 1, await consume(1));
    },
  };
}

function refuseFrom(tooMany: number, counts: readonly RateCount[]): void {
  const over = counts.filter(({ consumed }) => consumed >= tooMany);
  if (over.length === 0) return;
  const resetAtMs = Math.max(...over.map((count) => count.resetAtMs));
  throw new ApiError('RATE_LIMITED', 'Too many wrong passwords.', undefined, { resetAtMs });
}

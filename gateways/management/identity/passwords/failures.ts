import { ApiError } from '../../../errors.ts';
import type { ManagementParts } from '../../parts.ts';

/** Wrong passwords that are let pass in one window. */
const failuresAllowed = 10;
const windowMs = 15 * 60_000;

/** The wrong passwords shown of late, counted under each of `keys`, in all processes together. */
export function failures({ rates }: Pick<ManagementParts, 'rates'>, keys: readonly string[]) {
  return {
    /** RATE_LIMITED when there were too many under any of the keys. */
    async refuseTooMany(): Promise<void> {
      const counts = await Promise.all(keys.map((key) => rates.consume(key, 0, windowMs)));
      const over = counts.filter(({ consumed }) => consumed >= failuresAllowed);
      if (over.length === 0) return;
      const resetAtMs = Math.max(...over.map((count) => count.resetAtMs));
      throw new ApiError('RATE_LIMITED', 'Too many wrong passwords.', undefined, { resetAtMs });
    },
    async failed(): Promise<void> {
      await Promise.all(keys.map((key) => rates.consume(key, 1, windowMs)));
    },
  };
}

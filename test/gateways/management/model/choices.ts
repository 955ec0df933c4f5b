import fc from 'fast-check';
import type { Eyes, Model } from './model.ts';

/** Resources are picked by a number that counts round those that there are when the command runs. */
export type Pick = number;

/** Who asks; a partner when there is one. */
export interface Who {
  readonly as: 'account' | 'partner' | 'sandbox';
  readonly pick: Pick;
}

export const picks = fc.nat({ max: 6 });

export const whoever: fc.Arbitrary<Who> = fc.record({
  as: fc.constantFrom('account', 'account', 'partner', 'sandbox'),
  pick: picks,
});

/** Whether `If-Match` names the resource's revision; null when it is not sent. */
export const expectations: fc.Arbitrary<boolean | null> = fc.option(fc.boolean(), { freq: 2 });

export function picked<T>(those: readonly T[], pick: Pick): T {
  return those[pick % those.length]!;
}

export function eyesOf({ partners }: Model, { as, pick }: Who): Eyes {
  const partnerId = as === 'partner' && partners.length > 0 ? picked(partners, pick).id : null;
  return { partnerId, sandbox: as === 'sandbox' };
}

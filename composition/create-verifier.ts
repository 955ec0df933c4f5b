import { DEFAULT_VERIFICATION_LIMITS } from '../gateways/verification/settings.ts';
import { Verifier } from '../gateways/verification/verifier.ts';
import type { ActorNode } from '../runtime/node/node.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import type { Settings } from '../settings.ts';
import { addressPolicy } from './address-policy.ts';

/** Creates the verifier of ads.txt files, for requests and for the schedule. */
export function createVerifier(settings: Settings, { messenger }: ActorNode): Verifier {
  const tagId = settings.sellersIdentifiers.find(({ name }) => name.toUpperCase() === 'TAG-ID');
  return new Verifier({
    messenger,
    clock: systemClock,
    settings: {
      ...DEFAULT_VERIFICATION_LIMITS,
      ...addressPolicy(settings),
      exchangeDomain: settings.exchangeDomain,
      certificationId: tagId?.value ?? null,
    },
  });
}

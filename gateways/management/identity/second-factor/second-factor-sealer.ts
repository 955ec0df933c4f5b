import type { MasterSecrets } from '#gateways/webhooks/signing-secret';
import { type Sealer, sealer } from '../../secrets/sealer.ts';

/** The sealer of the shared secrets of second factors. */
export function secondFactorSealer({ secretKey, previousSecretKeys }: MasterSecrets): Sealer {
  return sealer(secretKey, 'second-factor', previousSecretKeys);
}

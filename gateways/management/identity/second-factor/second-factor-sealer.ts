import type { MasterSecrets } from '../../../webhooks/signing-secret.ts';
import { type Sealer, sealer } from '../../secrets/sealer.ts';

/** What the shared secrets of second factors are sealed with. */
export function secondFactorSealer({ secretKey, previousSecretKeys }: MasterSecrets): Sealer {
  return sealer(secretKey, 'second-factor', previousSecretKeys);
}

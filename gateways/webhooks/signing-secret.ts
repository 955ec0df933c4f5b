import { randomBytes } from 'node:crypto';
import { type Sealer, sealer } from '../management/secrets/sealer.ts';

/** Standard Webhooks, "Signature scheme": 24 to 64 random bytes in base64, behind `whsec_`. */
export function makeSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Master secrets: the present one, which seals, and earlier ones, which open what they sealed. */
export interface MasterSecrets {
  readonly secretKey: string;
  readonly previousSecretKeys?: readonly string[];
}

/** What the signing secrets of webhooks are sealed with; deliveries open them. */
export function webhookSealer({ secretKey, previousSecretKeys }: MasterSecrets): Sealer {
  return sealer(secretKey, 'webhook', previousSecretKeys);
}

import { randomBytes } from 'node:crypto';
import { type Sealer, sealer } from '../management/secrets/sealer.ts';

/**
 * Makes a signing secret: 32 random bytes in base64 behind `whsec_` (Standard Webhooks, "Signature scheme": 24 to 64
 * bytes).
 */
export function makeSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The master secrets: the current one seals, and the earlier ones open what they sealed. */
export interface MasterSecrets {
  readonly secretKey: string;
  readonly previousSecretKeys?: readonly string[];
}

/** Creates the sealer of webhooks' signing secrets; deliveries open them. */
export function webhookSealer({ secretKey, previousSecretKeys }: MasterSecrets): Sealer {
  return sealer(secretKey, 'webhook', previousSecretKeys);
}

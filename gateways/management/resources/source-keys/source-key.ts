import Type, { type Static } from 'typebox';
import type { SourceKey as KeptSourceKey } from '../../../../actors/source-key.ts';
import { ApiError } from '../../../errors.ts';
import { credentialId } from '../../../http/credential-id.ts';
import type { RequestIdentity } from '../../identity/request-identity.ts';
import { makeSourceKey } from '../../identity/source-keys.ts';
import type { ManagementParts } from '../../parts.ts';
import { SealBroken, sealer } from '../../secrets/sealed.ts';
import { Timestamp } from '../fields.ts';

export const SourceKey = Type.Object(
  {
    key: Type.String({ description: 'To be sent as `X-API-Key`.' }),
    created_at: Timestamp,
  },
  { title: 'SourceKey' },
);
export type SourceKey = Static<typeof SourceKey>;

export interface NewSourceKey {
  /** SHA-256 (hex) of the key. */
  readonly id: string;
  readonly sealed: string;
}

/** What the keys of sources are sealed for. */
export const SOURCE_KEY_PURPOSE = 'source-key';

export function newSourceKey(
  prefix: 'pub' | 'dsp',
  identity: RequestIdentity,
  { secretKey, clock }: Pick<ManagementParts, 'secretKey' | 'clock'>,
): NewSourceKey {
  const key = makeSourceKey(prefix, identity.newId, secretKey, clock.now());
  return { id: credentialId(key), sealed: sealer(secretKey, SOURCE_KEY_PURPOSE).seal(key) };
}

/** NOT_FOUND when none was made; CONFLICT when it was sealed under a master secret that is not ours any more. */
export function showSourceKey(
  kept: KeptSourceKey | undefined,
  { secretKey, previousSecretKeys }: Pick<ManagementParts, 'secretKey' | 'previousSecretKeys'>,
): SourceKey {
  if (!kept) throw new ApiError('NOT_FOUND', 'No key was made for this source.');
  try {
    return {
      key: sealer(secretKey, SOURCE_KEY_PURPOSE, previousSecretKeys).open(kept.sealed),
      created_at: kept.createdAt,
    };
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new ApiError('CONFLICT', 'The key was sealed under another SECRET_KEY: make a new one.');
  }
}

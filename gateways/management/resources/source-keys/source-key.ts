import Type, { type Static } from 'typebox';
import type { Scope } from '#actors/account/scope';
import { Timestamp } from '#actors/api-schemas';
import { dsp } from '#actors/dsp/dsp';
import { publisher } from '#actors/publisher/publisher';
import type { SourceKey as KeptSourceKey } from '#actors/source-key';
import { ApiError } from '#gateways/errors';
import { credentialId } from '#gateways/http/credential-id';
import type { ManagementDeps } from '../../deps.ts';
import type { RequestIds } from '../../identity/request-ids.ts';
import { makeSourceKey } from '../../identity/source-keys.ts';
import { SealBroken, sealer } from '../../secrets/sealer.ts';

export const SourceKey = Type.Object(
  {
    key: Type.String({ description: 'To be sent as `X-API-Key`.' }),
    created_at: Timestamp,
  },
  { title: 'SourceKey' },
);
export type SourceKey = Static<typeof SourceKey>;

interface NewSourceKey {
  /** The SHA-256 (hex) of the key. */
  readonly id: string;
  readonly sealed: string;
}

/** The purpose under which the keys of sources are sealed. */
export const SOURCE_KEY_PURPOSE = 'source-key';

function newSourceKey(
  prefix: 'pub' | 'dsp',
  identity: RequestIds,
  { secretKey, clock }: Pick<ManagementDeps, 'secretKey' | 'clock'>,
): NewSourceKey {
  const key = makeSourceKey(prefix, identity.newId, secretKey, clock.now());
  return { id: credentialId(key), sealed: sealer(secretKey, SOURCE_KEY_PURPOSE).seal(key) };
}

/**
 * Shows the key of a source. NOT_FOUND when it has none; CONFLICT when the key was sealed under a master secret that is
 * no longer known.
 */
export function showSourceKey(
  kept: KeptSourceKey | undefined,
  { secretKey, previousSecretKeys }: Pick<ManagementDeps, 'secretKey' | 'previousSecretKeys'>,
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

export const sourceKeyHeaders = { 'Cache-Control': 'no-store' };

const exampleOf = (prefix: 'pub' | 'dsp') => ({
  answer: {
    key: `${prefix}_1772357400_5a1b0c9d5a1b0c9d5a1b0c9d5a1b0c9d5a1b0c9d`,
    created_at: '2026-03-01T09:30:00.000Z',
  },
});
export const sourceKeyExamples = { pub: exampleOf('pub'), dsp: exampleOf('dsp') };

/** Creates a key for a source that `scope` sees and replaces its present key. NOT_FOUND for every other source. */
export async function renewSourceKey(
  deps: Pick<ManagementDeps, 'secretKey' | 'previousSecretKeys' | 'clock' | 'messenger'>,
  kind: 'publisher' | 'dsp',
  id: string,
  scope: Scope,
  identity: RequestIds,
): Promise<SourceKey> {
  const { messenger } = deps;
  const options = { requestId: identity.askId() };
  if (kind === 'publisher') {
    const body = { scope, ...newSourceKey('pub', identity, deps) };
    const { sourceKey } = await messenger.ask(publisher, id, 'set-source-key', body, options);
    return showSourceKey(sourceKey, deps);
  }
  const body = { scope, ...newSourceKey('dsp', identity, deps) };
  const { sourceKey } = await messenger.ask(dsp, id, 'set-source-key', body, options);
  return showSourceKey(sourceKey, deps);
}

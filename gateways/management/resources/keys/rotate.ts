import Type from 'typebox';
import { apiKey } from '#actors/api-key/api-key';
import type { ApiKeyState } from '#actors/api-key/reduce';
import { ApiError } from '#gateways/errors';
import { credentialId } from '#gateways/http/credential-id';
import { Rejected } from '#runtime/actor/errors';
import type { ManagementDeps } from '../../deps.ts';
import { publicKeyId } from '../../identity/api-keys.ts';
import { confirmQuotaHolding, type QuotaHolding, releaseQuota, withinQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { keyWithSecretExample } from './example.ts';
import { ApiKeyWithSecret, hasEnded, KeyParams, loadKey, makeKey, showKey } from './key.ts';

const longestOverlapS = 7 * 24 * 3600;

export const rotateKey = defineRoute({
  method: 'POST',
  path: '/api/keys/:id/rotate',
  tag: 'Account',
  operationId: 'rotateKey',
  summary: 'Make a key in the place of another, which ends after an overlap',
  description:
    'The new key has the name, the environment and the expiry of the old one. A key that has ended, or was rotated already, is not rotated (409): of several rotations at the same moment one is made. Nor is one that is to work beside the new one when the account has no room for both.',
  access: 'session',
  reach: { environments: 'every' },
  params: KeyParams,
  body: Type.Object(
    {
      overlap_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: longestOverlapS,
          default: 0,
          description: 'How long the old key goes on working; 0: it is revoked at once.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  errors: ['CONFLICT'],
  examples: { body: { overlap_seconds: 3600 }, answer: keyWithSecretExample },
  answer: { status: 201, schema: ApiKeyWithSecret, headers: { 'Cache-Control': 'no-store' } },
  async handle({ params: { id }, body: { overlap_seconds: overlapS = 0 }, caller: { accountId }, identity, parts }) {
    const { messenger, store, secretKey, clock } = parts;
    const old = await loadKey(parts, id, accountId);
    const { name, environment } = old.state;
    const { key, hint } = makeKey(environment, identity.newId, secretKey);
    const hash = credentialId(key);
    const successor = publicKeyId(hash);
    const [document] = await store.load([{ kind: apiKey.kind, id: hash }]);
    const made = (document?.state ?? null) as ApiKeyState | null;
    const isDone = isDoneByOlderRelease(old.state, made, clock.now());
    const requestId = identity.askId();

    // The old key decides which of several rotations is made. The new key is created before the old one ends: when the
    // request is interrupted between the two steps, both keys work.
    const create = async () => {
      const { expiresAtMs, replaced } = isDone
        ? old.state
        : await messenger.ask(apiKey, old.hash, 'begin-rotation', { accountId, successor, atMs: clock.now() });
      if (!replaced && made !== null && made.revokedAt !== null) {
        throw new ApiError('CONFLICT', 'The new key was revoked before it took the place of the old one.');
      }
      const fields = { accountId, environment, name, hint, ...(expiresAtMs === null ? {} : { expiresAtMs }) };
      return messenger.ask(apiKey, hash, 'create', fields, { requestId });
    };
    const holding = { accountId, sandbox: false, resource: 'api_keys', id: hash, bytes: 0 } as const;
    // A key that ends at once makes room for the new one.
    const state = overlapS === 0 ? await create() : await withinQuota(parts, holding, create);

    try {
      await endOld(parts, old.hash, { ...(isDone ? {} : { successor }), accountId, overlapS }, requestId);
    } catch (error) {
      // This request stood still for so long that another rotation was begun. Nobody has seen the new key yet.
      if (error instanceof Rejected && error.code === 'CONFLICT') await withdraw(parts, holding);
      throw error;
    }
    if (overlapS === 0) {
      await confirmQuotaHolding(parts, holding);
      await releaseQuota(parts, { ...holding, id: old.hash });
    }
    return { ...showKey({ hash, state }), key };
  },
});

/**
 * Whether an older release, which noted no rotation, has made the new key and ended the old one: this request repeats
 * one that it has served.
 */
function isDoneByOlderRelease(old: ApiKeyState, made: ApiKeyState | null, nowMs: number): boolean {
  return made !== null && old.rotation === undefined && (old.replaced || hasEnded(old, nowMs));
}

/** Ends the old key. CONFLICT when its rotation is no longer reserved for the successor. */
async function endOld(
  { messenger, clock }: ManagementDeps,
  hash: string,
  { overlapS, ...ending }: { readonly accountId: string; readonly successor?: string; readonly overlapS: number },
  requestId: string | undefined,
): Promise<void> {
  if (overlapS === 0) await messenger.ask(apiKey, hash, 'revoke', ending, { requestId });
  else {
    const atMs = clock.now() + overlapS * 1000;
    await messenger.ask(apiKey, hash, 'retire', { ...ending, atMs }, { requestId });
  }
}

/** Revokes a new key that takes no key's place. */
async function withdraw(deps: ManagementDeps, holding: QuotaHolding): Promise<void> {
  await deps.messenger.ask(apiKey, holding.id, 'revoke', { accountId: holding.accountId });
  await releaseQuota(deps, holding);
}

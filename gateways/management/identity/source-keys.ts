import { createHmac } from 'node:crypto';
import type { DspState } from '#actors/dsp/reduce';
import type { PublisherState } from '#actors/publisher/reduce';
import type { UserState } from '#actors/user/reduce';
import { credentialId } from '../../http/credential-id.ts';
import type { ManagementDeps } from '../deps.ts';
import type { SourceCaller, UserSession } from './caller.ts';

const form = /^(pub|dsp)_\d{1,12}_[0-9a-f]{40}$/;
const kindOf = { pub: 'publisher', dsp: 'dsp' } as const;

export function isSourceKey(given: string): boolean {
  return form.test(given);
}

/**
 * Derives the key of a source: `pub_<timestamp>_<hash>` or `dsp_<timestamp>_<hash>` (specification, "Authentication").
 * The parts are Unix seconds and 160 bits in hex, which follow from the master secret and the request, so that a
 * repeated request gets the same key.
 */
export function makeSourceKey(prefix: 'pub' | 'dsp', requestId: string, secretKey: string, nowMs: number): string {
  const hash = createHmac('sha256', secretKey).update(`source-key:${prefix}:${requestId}`).digest('hex').slice(0, 40);
  return `${prefix}_${Math.floor(nowMs / 1000)}_${hash}`;
}

/**
 * Finds the source of a key; null when the exchange never issued the key or it has ended. The key of an archived source
 * can still read its statements.
 */
export async function findSource(key: string, { store }: Pick<ManagementDeps, 'store'>): Promise<SourceCaller | null> {
  const prefix = form.exec(key)?.[1] as keyof typeof kindOf | undefined;
  if (prefix === undefined) return null;
  const kind = kindOf[prefix];
  const where = { 'sourceKey.id': credentialId(key) };
  const { documents } = await store.query(kind, { where, limit: 1 });
  const [document] = documents;
  if (!document) return null;
  const { accountId, sandbox } = document.state as PublisherState | DspState;
  return { kind, id: document.id, accountId, sandbox, by: { kind: 'key' } };
}

/**
 * Finds the source to whose people this user belongs; null when there is none. The people of an archived source can
 * still read it, as its key can: its amounts are finalized after its last month, and may be corrected later still.
 */
export async function sourceOfUser(
  { accountId, source }: Pick<UserState, 'accountId' | 'source'>,
  by: UserSession,
  { store }: Pick<ManagementDeps, 'store'>,
): Promise<SourceCaller | null> {
  if (!source) return null;
  const { type: kind, id } = source;
  const [document] = await store.load([{ kind, id }]);
  const state = document && !document.deleted ? (document.state as PublisherState | DspState) : null;
  return state?.accountId === accountId ? { kind, id, accountId, sandbox: state.sandbox, by } : null;
}

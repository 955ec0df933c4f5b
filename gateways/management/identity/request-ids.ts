import { createHmac } from 'node:crypto';
import type { Random } from '#runtime/ports/random';
import { ApiError } from '../../errors.ts';
import type { AuditedCaller, Caller } from './caller.ts';

/**
 * The ids of one request, which make its repetition safe. With an `Idempotency-Key`, all ids that a request creates are
 * derived from the caller, the key, the endpoint, the body, the query and the expected revisions: the same request
 * again finds what the first one created, and a different request under the same key gets different ids, also one that
 * expects another revision after a 412. Without the header, every request gets new ids.
 *
 * The caller is the user, or any of the account's API keys (a request may be repeated under the next key), together
 * with the context: an answer to one partner, or in the live environment, is never returned in another context.
 */
export interface RequestIds {
  /** The id for `AskOptions.requestId`; `step` distinguishes several asks of one request to one actor. */
  askId(step?: string): string | undefined;
  /** The id of the resource that this request creates, a UUID. */
  readonly newId: string;
  /** The id of this request as the claimant of a name. */
  readonly claimId: string;
}

const idempotencyKeyForm = /^[\x20-\x7e]{1,255}$/;

interface RequestIdSource {
  readonly idempotencyKey: string;
  /** Null for requests without a known caller. */
  readonly caller: (Pick<Caller, 'accountId' | 'partnerId' | 'sandbox'> & AuditedCaller) | null;
  readonly method: string;
  readonly path: string;
  /** The parameters of the query that the route declares. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The revisions of `If-Match`. */
  readonly expecting?: readonly number[] | undefined;
}

export function deriveRequestIds(
  request: RequestIdSource,
  { random, secretKey }: { readonly random: Random; readonly secretKey: string },
): RequestIds {
  const { idempotencyKey, caller, method, path, query = {}, body, expecting } = request;
  if (idempotencyKey === '') {
    const claimId = random.id();
    return { askId: () => undefined, newId: uuidOf(Buffer.from(random.id(), 'base64url')), claimId };
  }
  if (!idempotencyKeyForm.test(idempotencyKey)) {
    throw new ApiError('INVALID_PARAMS', 'Idempotency-Key must be 1 to 255 printable characters.', 'Idempotency-Key');
  }
  const requester = caller && [caller.accountId, userOf(caller), caller.partnerId, caller.sandbox];
  // A request without conditions keeps the ids that releases without this part derived, as a repetition may span them.
  const isPlain = expecting === undefined && Object.keys(query).length === 0;
  const conditions = isPlain ? [] : [query, expecting ?? null];
  const canonicalRequest = JSON.stringify([requester, idempotencyKey, method, path, body ?? null, ...conditions]);
  // The digest is keyed, because bodies hold passwords and ids are public: a plain hash would allow guessing offline.
  const digest = createHmac('sha256', secretKey).update(`request:${canonicalRequest}`).digest();
  const name = digest.toString('base64url');
  return { askId: (step = '') => `${name}${step}`, newId: uuidOf(digest), claimId: name };
}

function userOf({ by }: AuditedCaller): string | null {
  return by.kind === 'session' ? by.userId : null;
}

/** The first 16 bytes as a UUID of version 8 (RFC 9562 §5.8: application-defined bits). */
export function uuidOf(bytes: Buffer): string {
  const own = Buffer.from(bytes.subarray(0, 16));
  own.writeUInt8((own.readUInt8(6) & 0x0f) | 0x80, 6);
  own.writeUInt8((own.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = own.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

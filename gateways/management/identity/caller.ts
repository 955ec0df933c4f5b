import type { Scope } from '#actors/account/scope';
import type { StoreUnavailable } from '#runtime/actor/errors';

/** The role of an account's user. An operator runs the exchange and may do more than a member. */
export type Role = 'member' | 'operator';

/** The session of a user, of an account or of a source's own people. */
export interface UserSession {
  readonly kind: 'session';
  readonly sessionId: string;
  readonly userId: string;
  /** The end of the session in ms since the epoch, if it is not used again. */
  readonly endsAtMs: number;
}

/** The credential of a caller: an account's API key, or the cookie of a user's session. */
export type Credential =
  | {
      readonly kind: 'api-key';
      /** The id of the key as the API shows it: neither the key nor its hash. */
      readonly keyId: string;
    }
  | (UserSession & { readonly role: Role });

/** The logged-in user, of an account or of a source, reduced to what concerns the login alone. */
export interface Login {
  readonly accountId: string;
  readonly by: UserSession;
}

/** The caller that acts for an account, and the context of the call (specification, "Authentication"). */
export interface Caller {
  readonly accountId: string;
  /** The partner that `X-User-Partner-ID` names; null sees all partners of the account. */
  readonly partnerId: string | null;
  /** The sandbox context: a sandbox key, `X-Sandbox: true` or `sandbox=true`. */
  readonly sandbox: boolean;
  /** Whether the caller uses a sandbox key, which can never change or read anything live. */
  readonly sandboxKey: boolean;
  readonly scope: Scope;
  readonly by: Credential;
}

/** A caller that uses the session of an account's user. */
export interface SessionCaller extends Caller {
  readonly by: UserSession & { readonly role: Role };
}

/** Whether the caller uses the session of a user who runs the exchange. */
export function isOperator({ by }: Pick<Caller, 'by'>): boolean {
  return by.kind === 'session' && by.role === 'operator';
}

/**
 * A caller that uses a source's key, or the session of one of its own people. It reads this source and nothing else.
 */
export interface SourceCaller {
  readonly kind: 'publisher' | 'dsp';
  readonly id: string;
  readonly accountId: string;
  /** The environment of the source. */
  readonly sandbox: boolean;
  readonly by: { readonly kind: 'key' } | UserSession;
}

/**
 * The result of reading the credentials: a request without valid ones, a caller of an account, a source, or `unknown`,
 * when the store that would decide is away.
 */
export type Identity =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'unknown'; readonly cause: StoreUnavailable }
  | {
      readonly kind: 'account';
      readonly caller: Caller;
      /** The token of a session whose cookie must be set again, since the session now lasts longer. */
      readonly renewedToken: string | null;
    }
  | {
      readonly kind: 'source';
      readonly source: SourceCaller;
      /** The token of a session whose cookie must be set again; null for a key. */
      readonly renewedToken: string | null;
    };

export const anonymousIdentity: Identity = { kind: 'nobody' };

/** The part of a caller, of an account or of one of its sources, that the audit trail records. */
export interface AuditedCaller {
  readonly accountId: string;
  readonly by:
    | Pick<Extract<Credential, { kind: 'api-key' }>, 'kind' | 'keyId'>
    | Pick<Extract<Credential, { kind: 'session' }>, 'kind' | 'userId'>;
}

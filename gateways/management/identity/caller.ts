import type { Scope } from '../../../actors/account/scope.ts';
import type { StoreUnavailable } from '../../../runtime/actor/errors.ts';

/** What a user of an account may do beside what every user of an account may: an operator runs the exchange. */
export type Role = 'member' | 'operator';

/** The session of a user, whether of an account or of a source's own people. */
export interface UserSession {
  readonly kind: 'session';
  readonly sessionId: string;
  readonly userId: string;
  /** ms since the epoch, if it is not used again. */
  readonly endsAtMs: number;
}

/** What the caller showed: an account's API key, or the cookie of a user's session. */
export type Credential =
  | {
      readonly kind: 'api-key';
      /** As the API shows it: neither the key nor its hash. */
      readonly keyId: string;
    }
  | (UserSession & { readonly role: Role });

/** Who is logged in, whoever it is, as far as it is about the login alone. */
export interface Login {
  readonly accountId: string;
  readonly by: UserSession;
}

/** Who asks on behalf of an account, and in which context (specification, "Authentication"). */
export interface Caller {
  readonly accountId: string;
  /** The partner that `X-User-Partner-ID` names; null sees all partners of the account. */
  readonly partnerId: string | null;
  /** The sandbox context: a sandbox key, `X-Sandbox: true` or `sandbox=true`. */
  readonly sandbox: boolean;
  /** A key that can never do anything live. */
  readonly sandboxKey: boolean;
  readonly scope: Scope;
  readonly by: Credential;
}

/** Who asks by the session of an account's user. */
export interface SessionCaller extends Caller {
  readonly by: UserSession & { readonly role: Role };
}

/** Whether the session of a user who runs the exchange asks. */
export function isOperator({ by }: Pick<Caller, 'by'>): boolean {
  return by.kind === 'session' && by.role === 'operator';
}

/** Who asks with a source's key, or by the session of one of its own people: both read this source and nothing else. */
export interface SourceCaller {
  readonly kind: 'publisher' | 'dsp';
  readonly id: string;
  readonly accountId: string;
  /** The environment that the source is in. */
  readonly sandbox: boolean;
  readonly by: { readonly kind: 'key' } | UserSession;
}

/** Nobody, an account's caller, or a source; or nobody knows, since credentials are looked up in a store that is away. */
export type Identity =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'unknown'; readonly cause: StoreUnavailable }
  | {
      readonly kind: 'account';
      readonly caller: Caller;
      /** A session's token whose cookie is to be given again, since the session lasts longer now. */
      readonly renewedToken: string | null;
    }
  | {
      readonly kind: 'source';
      readonly source: SourceCaller;
      /** As above; null for a key. */
      readonly renewedToken: string | null;
    };

export const anonymousIdentity: Identity = { kind: 'nobody' };

/** Who asks on behalf of an account, or of one of its sources: of a caller, what the trail tells. */
export interface AuditedCaller {
  readonly accountId: string;
  readonly by:
    | Pick<Extract<Credential, { kind: 'api-key' }>, 'kind' | 'keyId'>
    | Pick<Extract<Credential, { kind: 'session' }>, 'kind' | 'userId'>;
}

/**
 * What the callers that a route admits reach with it. A route declares what differs from the rule of its `access`:
 * - `account`, `session`: the resource that the path, the query or the body names, where it is in the caller's context:
 *   of the account, of the partner for whom the call is made if there is one, and from the sandbox only what is in the
 *   sandbox. Anything else does not exist (NOT_FOUND).
 * - `operator`: the resources of every account.
 * - `login`: what is the user's own.
 * - the key or the people of a source: what is the source's own.
 *
 * The handler does what its declaration says; the access matrix asks every route as every kind of caller and demands
 * that the answers are those that follow from it.
 */
export interface Reach {
  /**
   * The environments whose resources a call reaches:
   * - `same`: that of the call alone.
   * - `of-key`: both, whatever the call's context, but for a sandbox key, which reaches the sandbox alone.
   * - `every`: both, since the resource is in none.
   */
  readonly environments?: 'same' | 'of-key' | 'every';
  /** The resource belongs to no partner: calls for a partner reach it too. */
  readonly partners?: 'every';
  /** Operators reach the resources of every account. */
  readonly operators?: 'every-account';
  /**
   * The calls that are refused (FORBIDDEN) although they reach the resource: those in the sandbox's context, those with
   * a sandbox key, and those for a partner.
   */
  readonly refused?: readonly ('sandbox' | 'sandbox-key' | 'partner')[];
  /** The error for what is not reached, where a field of the body names it. */
  readonly unreached?: 'VALIDATION_ERROR';
}

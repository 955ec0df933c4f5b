import Type from 'typebox';
import { Scope } from '../account/scope.ts';

export const StoredKind = Type.Enum(['request', 'imp']);

export const StoredName = Type.String({
  pattern: '^[A-Za-z0-9_.-]{1,64}$',
  description: 'The name of a stored document: up to 64 letters, digits, points, hyphens and underscores.',
});

export const storedRequestsMessages = {
  /**
   * Stores a document under a name, in place of the former one. Answers it, and whether it is new. QUOTA_EXCEEDED where
   * the supply source would have more of them, or more text, than edges hold.
   */
  put: Type.Object({
    scope: Scope,
    /** The account, partner and environment of the supply source. */
    owner: Type.Object({
      accountId: Type.String(),
      partnerId: Type.Union([Type.String(), Type.Null()]),
      sandbox: Type.Boolean(),
    }),
    kind: StoredKind,
    name: StoredName,
    document: Type.Record(Type.String(), Type.Unknown()),
  }),
  /** Removes a document. NOT_FOUND where there is none. Answers null. */
  remove: Type.Object({ scope: Scope, kind: StoredKind, name: StoredName }),
};

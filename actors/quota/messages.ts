import Type from 'typebox';

const Holder = Type.String({ minLength: 1, maxLength: 64 });
const Bytes = Type.Integer({ minimum: 0 });
const Claim = Type.String({ minLength: 1 });

/** What is known of one holder: bytes, revision of the resource, and when that was said, in seconds since the Unix epoch. */
export const Entry = Type.Tuple([Bytes, Type.Integer({ minimum: 0 }), Type.Integer({ minimum: 0 })]);

/** Holders are resources of one sort of one account, under a name that follows from their ids. */
export const quotaMessages = {
  /**
   * Makes room for a holder of so many bytes before the resource is made or changed; `claim` names the request. Answers `Room`.
   * A holder that is known takes no further place, and of its old and its new bytes the more.
   */
  take: Type.Object({
    holder: Holder,
    claim: Claim,
    bytes: Bytes,
    most: Type.Object({ count: Bytes, bytes: Bytes }),
    /** A refusal stands on a count that is no older, in ms; null: on any. What processes that died left behind, a new count finds. */
    countAgainMs: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  }),
  /** What was claimed has come about: the resource has so many bytes at this revision. An older revision changes no bytes. */
  settle: Type.Object({
    holder: Holder,
    claim: Type.Union([Claim, Type.Null()]),
    bytes: Bytes,
    revision: Type.Integer({ minimum: 0 }),
  }),
  /** What was claimed has not come about. */
  'give-back': Type.Object({ holder: Holder, claim: Claim }),
  /** The resource is no more: its place and its bytes are free. `archived`: its record stays for good, and is counted apart. */
  drop: Type.Object({ holder: Holder, archived: Type.Boolean() }),
  /**
   * What there is, as the store says it: `present` joins, `gone` are holders of which there is nothing, each as it was known then.
   * `last` ends the count, with how many archived there are.
   */
  recount: Type.Object({
    present: Type.Record(Holder, Entry),
    gone: Type.Record(Holder, Entry),
    last: Type.Union([Type.Object({ archived: Bytes }), Type.Null()]),
  }),
};

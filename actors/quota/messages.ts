import Type from 'typebox';

const Holder = Type.String({ minLength: 1, maxLength: 64 });
const Bytes = Type.Integer({ minimum: 0 });
const Claim = Type.String({ minLength: 1 });
const Most = Type.Object({ count: Bytes, bytes: Bytes });
/**
 * A refusal is valid on a count that is at most this old, ms; null: on any. A new count finds what dead processes left
 * behind.
 */
const CountAgainMs = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]);

/**
 * The entry of one holder: bytes, revision of the resource, and when this was reported, in seconds since the Unix
 * epoch.
 */
export const Entry = Type.Tuple([Bytes, Type.Integer({ minimum: 0 }), Type.Integer({ minimum: 0 })]);

/** The holders are resources of one sort of one account, under a name derived from their ids. */
export const quotaMessages = {
  /**
   * Reserves room for a holder of so many bytes before the resource is made or changed; `claim` names the request.
   * Answers `QuotaReply`. A known holder takes no further place, and counts with the larger of its old and new bytes.
   */
  take: Type.Object({ holder: Holder, claim: Claim, bytes: Bytes, most: Most, countAgainMs: CountAgainMs }),
  /** As `take`, for several holders, by their bytes: reserves room for all of them or for none. */
  'take-all': Type.Object({
    holders: Type.Record(Holder, Bytes),
    claim: Claim,
    most: Most,
    countAgainMs: CountAgainMs,
  }),
  /**
   * The claimed change was made: the resource has so many bytes at this revision. An older revision changes no bytes.
   */
  settle: Type.Object({
    holder: Holder,
    claim: Type.Union([Claim, Type.Null()]),
    bytes: Bytes,
    revision: Type.Integer({ minimum: 0 }),
  }),
  /** As `settle`, for several holders, each with its bytes and its revision. */
  'settle-all': Type.Object({
    holders: Type.Record(Holder, Type.Tuple([Bytes, Type.Integer({ minimum: 0 })])),
    claim: Claim,
  }),
  /** The claimed change was not made. */
  'give-back': Type.Object({ holder: Holder, claim: Claim }),
  /** As `give-back`, for several holders. */
  'give-back-all': Type.Object({ holders: Type.Array(Holder), claim: Claim }),
  /**
   * The resource was deleted: its place and its bytes are free. `archived`: its record stays for good, and is counted
   * apart.
   */
  drop: Type.Object({ holder: Holder, archived: Type.Boolean() }),
  /**
   * These resources were deleted, or left the environment: their places and their bytes are free. Unknown ones change
   * nothing.
   */
  'drop-all': Type.Object({ holders: Type.Array(Holder) }),
  /**
   * The resources in the store: `present` are added, `gone` are holders without a resource, each as it was known then.
   * `last` ends the count, with the number of archived resources.
   */
  recount: Type.Object({
    present: Type.Record(Holder, Entry),
    gone: Type.Record(Holder, Entry),
    last: Type.Union([Type.Object({ archived: Bytes }), Type.Null()]),
  }),
};

import Type, { type Static } from 'typebox';
import type { Context, Send } from '../../runtime/actor/context.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';

/**
 * The reservation of a unique name by an actor. The requester claims the name first and passes the claim on; the actor
 * confirms it, and releases its former name, by messages that leave with its own saved change.
 */
export const NameClaim = Type.Object({
  /** The `nameId` of the claimed name. */
  nameId: Type.String(),
  claim: Type.String(),
  /** ms since the epoch, by the log's clock; null when the claim was confirmed before. */
  heldUntilMs: Type.Union([Type.Integer(), Type.Null()]),
});
export type NameClaim = Static<typeof NameClaim>;

/** The messages that every kind with a unique name handles besides its own. */
export const nameHolderMessages = {
  /**
   * Sent by a name whose claim has expired: the holder confirms the claim if it has the name by it, and releases it
   * otherwise.
   */
  'answer-for-claim': Type.Object({ nameId: Type.String(), claim: Type.String(), heldUntilMs: Type.Integer() }),
};

/** The name that an actor has; null when it has none. */
export const ReservedName = Type.Union([Type.Object({ nameId: Type.String(), claim: Type.String() }), Type.Null()]);
export type ReservedName = Static<typeof ReservedName>;

/**
 * A claim with less than this many ms left is not accepted: by the time its holder is asked, it is settled whether it
 * has the name. The margin covers the difference between the clocks of partitions.
 */
const CLAIM_MARGIN_MS = 5 * 60_000;

/**
 * The id of a name: `<account>:<space>:<name>`, one name of a space of an account, e.g. `publisher:live`. Names that
 * differ only in case, Unicode form or outer white space are the same. Characters are escaped so that the id is plain
 * ASCII.
 */
export function nameId(accountId: string, space: string, name: string): string {
  const same = name.normalize('NFKC').trim().toLowerCase();
  const escaped = same.replace(/[^a-z0-9]/g, (unit) => `_${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${accountId}:${space}:${escaped}`;
}

export interface ReservationChange {
  readonly reservedName: ReservedName;
  readonly sends: readonly Send[];
}

/** The messages of a change from the present name to the one with `wantedId`; the same name needs no claim. */
export function reserve(
  reserved: ReservedName,
  wantedId: string,
  claim: NameClaim | undefined,
  context: Context,
): ReservationChange | Rejection {
  if (reserved?.nameId === wantedId) return { reservedName: reserved, sends: [] };
  if (claim?.nameId !== wantedId) {
    return reject('NAME_NOT_CLAIMED', 'The name changed meanwhile; ask again.', { nameId: wantedId });
  }
  if (isAboutToLapse(claim, context)) {
    return reject('NAME_NOT_CLAIMED', 'The claim on the name is about to lapse; ask again.', { nameId: wantedId });
  }
  const confirm = {
    to: `name/${wantedId}`,
    type: 'confirm',
    body: { holder: context.address, claim: claim.claim },
  };
  return { reservedName: { nameId: wantedId, claim: claim.claim }, sends: [...release(reserved, context), confirm] };
}

/** Whether so little is left of the claim that a change may no longer rest on it. */
export function isAboutToLapse({ heldUntilMs }: Pick<NameClaim, 'heldUntilMs'>, { nowMs }: Context): boolean {
  return heldUntilMs !== null && nowMs > heldUntilMs - CLAIM_MARGIN_MS;
}

/** The messages that release the present name. */
export function release(reserved: ReservedName, context: Context): readonly Send[] {
  if (reserved === null) return [];
  return [{ to: `name/${reserved.nameId}`, type: 'release', body: { holder: context.address, claim: reserved.claim } }];
}

/** The answer to `answer-for-claim`. */
export function confirmOrRelease(
  reserved: ReservedName,
  { nameId, claim, heldUntilMs }: Static<(typeof nameHolderMessages)['answer-for-claim']>,
  context: Context,
): readonly Send[] {
  const holder = context.address;
  const to = `name/${nameId}`;
  if (reserved?.nameId === nameId && reserved.claim === claim)
    return [{ to, type: 'confirm', body: { holder, claim } }];
  return [{ to, type: 'release', body: { holder, claim, heldUntilMs } }];
}

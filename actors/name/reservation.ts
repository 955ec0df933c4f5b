import Type, { type Static } from 'typebox';
import type { Context, Send } from '../../runtime/actor/context.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';

/**
 * How an actor bears a unique name. Whoever asks it to take a name claims the name first and hands in the claim; the
 * bearer confirms it, and releases the name it had, by messages that leave with its own saved change.
 */
export const NameClaim = Type.Object({
  /** `nameId` of the claimed name. */
  nameId: Type.String(),
  claim: Type.String(),
  /** ms since the epoch, by the log's clock; null when the claim was confirmed before. */
  heldUntilMs: Type.Union([Type.Integer(), Type.Null()]),
});
export type NameClaim = Static<typeof NameClaim>;

/** What every kind that bears a name understands besides its own messages. */
export const nameHolderMessages = {
  /** Sent by a name whose claim has lapsed: the bearer confirms the claim if it bears the name by it, else releases it. */
  'answer-for-claim': Type.Object({ nameId: Type.String(), claim: Type.String(), heldUntilMs: Type.Integer() }),
};

/** What a bearer keeps of the name it bears; null when it bears none. */
export const ReservedName = Type.Union([Type.Object({ nameId: Type.String(), claim: Type.String() }), Type.Null()]);
export type ReservedName = Static<typeof ReservedName>;

/**
 * A claim this close to lapsing is not taken any more: by the time its holder is asked, whether it bears the name is
 * settled. The margin is what clocks of different partitions may differ by.
 */
const CLAIM_MARGIN_MS = 5 * 60_000;

/**
 * `<account>:<space>:<name>`: one name of a space of an account, e.g. `publisher:live`. Names that differ in case,
 * Unicode form or outer white space alone are the same. Characters are escaped so that the id is plain ASCII.
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

/** From the name borne now to the one with `wantedId`; the same one needs no claim. */
export function reserve(
  borne: ReservedName,
  wantedId: string,
  claim: NameClaim | undefined,
  context: Context,
): ReservationChange | Rejection {
  if (borne?.nameId === wantedId) return { reservedName: borne, sends: [] };
  if (claim?.nameId !== wantedId) {
    return reject('NAME_NOT_CLAIMED', 'The name changed meanwhile; ask again.', { nameId: wantedId });
  }
  if (claim.heldUntilMs !== null && context.nowMs > claim.heldUntilMs - CLAIM_MARGIN_MS) {
    return reject('NAME_NOT_CLAIMED', 'The claim on the name is about to lapse; ask again.', { nameId: wantedId });
  }
  const confirm = {
    to: `name/${wantedId}`,
    type: 'confirm',
    body: { holder: context.address, claim: claim.claim },
  };
  return { reservedName: { nameId: wantedId, claim: claim.claim }, sends: [...release(borne, context), confirm] };
}

/** Gives up the name borne now. */
export function release(borne: ReservedName, context: Context): readonly Send[] {
  if (borne === null) return [];
  return [{ to: `name/${borne.nameId}`, type: 'release', body: { holder: context.address, claim: borne.claim } }];
}

/** The answer to `answer-for-claim`. */
export function confirmOrRelease(
  borne: ReservedName,
  { nameId, claim, heldUntilMs }: Static<(typeof nameHolderMessages)['answer-for-claim']>,
  context: Context,
): readonly Send[] {
  const holder = context.address;
  const to = `name/${nameId}`;
  if (borne?.nameId === nameId && borne.claim === claim) return [{ to, type: 'confirm', body: { holder, claim } }];
  return [{ to, type: 'release', body: { holder, claim, heldUntilMs } }];
}

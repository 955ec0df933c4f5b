import Type, { type Static } from 'typebox';
import type { Context } from '../../runtime/actor/context.ts';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { nameMessages } from './messages.ts';

/** The time in ms for which a claim is held before its holder must have confirmed it. */
export const PROVISIONAL_CLAIM_MS = 10 * 60_000;

/**
 * The most claims of one holder at a time, expired ones included; a holder usually takes a name with one request at a
 * time.
 */
export const MAX_CLAIMS = 1_000;

export const NameState = Type.Object({
  /** The address of the holder, `kind/id`. */
  holder: Type.String(),
  /** The claims of `holder` by id: until when each is held (ms since the epoch), or null once confirmed. */
  claims: Type.Record(Type.String(), Type.Union([Type.Integer(), Type.Null()])),
});
export type NameState = Static<typeof NameState>;

/** The answer to a claim. */
export type NameClaimReply =
  /** Granted. `heldUntilMs`, ms since the epoch by the log's clock, is null when the claim was confirmed before. */
  | { readonly claim: string; readonly heldUntilMs: number | null }
  /**
   * Not granted yet: the claims of another holder have expired, and that holder is being asked whether it has the name.
   */
  | { readonly asked: string };

export const unreservedName: NameState = { holder: '', claims: {} };

/**
 * Claims are used instead of one flag, so that a late release ends the claim that it was meant for and no other: a
 * source renamed from A to B and back holds A under a new claim when the release of the old one comes.
 *
 * The claim of a maker that died half-way expires, but that alone frees nothing: the confirmation may be on its way.
 * Only the holder knows; it is asked when another resource needs the name, and confirms or releases.
 */
export const nameHandlers = handlersOf(NameState, nameMessages, {
  claim(state, { holder, claim }, context): Effects<NameState, NameClaimReply> | Rejection {
    if (!isOwn(state, holder)) return askHolder(state, context);
    const until = state.claims[claim];
    if (until === null || (until !== undefined && until > context.nowMs)) {
      return { reply: { claim, heldUntilMs: until } };
    }
    if (until === undefined && Object.keys(state.claims).length >= MAX_CLAIMS) {
      return reject('CONFLICT', 'Too many requests for this name are under way.');
    }
    const heldUntilMs = context.nowMs + PROVISIONAL_CLAIM_MS;
    return {
      state: { holder, claims: { ...state.claims, [claim]: heldUntilMs } },
      reply: { claim, heldUntilMs },
    };
  },
  confirm(state, { holder, claim }) {
    if (!isOwn(state, holder)) throw new Error(`${holder} bears a name that ${state.holder} holds`);
    return { state: { holder, claims: { ...state.claims, [claim]: null } } };
  },
  release(state, body) {
    const { holder, claim } = body;
    const until = state.claims[claim];
    const { heldUntilMs = until } = body;
    if (!isOwn(state, holder) || until === undefined || until !== heldUntilMs) return {};
    const { [claim]: _released, ...others } = state.claims;
    return { state: Object.keys(others).length === 0 ? null : { holder, claims: others } };
  },
});

/** Whether the name is free or reserved by this holder. */
function isOwn({ holder, claims }: NameState, asking: string): boolean {
  return holder === asking || Object.keys(claims).length === 0;
}

function askHolder({ holder, claims }: NameState, context: Context): Effects<NameState, NameClaimReply> | Rejection {
  const lapsed = Object.entries(claims).filter(([, until]) => until !== null && until <= context.nowMs);
  if (lapsed.length < Object.keys(claims).length) return reject('CONFLICT', 'The name is taken.');
  return {
    reply: { asked: holder },
    sends: lapsed.map(([claim, heldUntilMs]) => ({
      to: holder,
      type: 'answer-for-claim',
      body: { nameId: context.id, claim, heldUntilMs },
    })),
  };
}

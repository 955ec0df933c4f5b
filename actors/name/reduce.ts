import Type, { type Static } from 'typebox';
import type { Context } from '../../runtime/actor/context.ts';
import type { Effects, MessageOf } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import type { nameMessages } from './messages.ts';

/** How long a claim holds that its holder never confirms: whoever made it died, or was refused, half-way. */
export const provisionalMs = 10 * 60_000;

export const NameState = Type.Object({
  holder: Type.String(),
  /** Claims of `holder`, by the claim's id: when it lapses (ms since the epoch), or null once confirmed. */
  claims: Type.Record(Type.String(), Type.Union([Type.Integer(), Type.Null()])),
});
export type NameState = Static<typeof NameState>;

/** The answer to a claim. `heldUntilMs`, ms since the epoch by the log's clock, is null once confirmed. */
export interface ClaimedName {
  readonly claim: string;
  readonly heldUntilMs: number | null;
}

export const freeName: NameState = { holder: '', claims: {} };

/**
 * Claims instead of one flag, so that a release that arrives late ends what it was meant for and nothing else: a
 * source renamed from A to B and back holds A under a new claim when the release of the old one comes.
 */
export function reduceName(
  state: NameState,
  message: MessageOf<typeof nameMessages>,
  context: Context,
): Effects<NameState> | Rejection {
  const { holder, claim } = message.body;
  const standing = Object.entries(state.claims).filter(([, until]) => until === null || until > context.nowMs);
  const free = standing.length === 0;
  const claims = state.holder === holder ? Object.fromEntries(standing) : {};

  switch (message.type) {
    case 'claim': {
      if (!free && state.holder !== holder) return reject('CONFLICT', 'The name is taken.');
      const known = claims[claim];
      if (known !== undefined) return { reply: { claim, heldUntilMs: known } satisfies ClaimedName };
      const heldUntilMs = context.nowMs + provisionalMs;
      return {
        state: { holder, claims: { ...claims, [claim]: heldUntilMs } },
        reply: { claim, heldUntilMs } satisfies ClaimedName,
      };
    }
    case 'confirm':
      // A holder never bears a name past its claim (see bearing.ts), so nobody else can hold it here.
      if (!free && state.holder !== holder) return {};
      return { state: { holder, claims: { ...claims, [claim]: null } } };
    case 'release': {
      if (state.holder !== holder || state.claims[claim] === undefined) return {};
      const { [claim]: _released, ...others } = state.claims;
      return { state: Object.keys(others).length === 0 ? null : { holder, claims: others } };
    }
  }
}

import Type, { type Static } from 'typebox';
import type { Context } from '../../runtime/actor/context.ts';
import type { Effects, MessageOf } from '../../runtime/actor/define-actor.ts';
import type { Rejection } from '../../runtime/actor/rejection.ts';
import { type accountMessages, Tier } from './messages.ts';
import { absent } from './scope.ts';

export const AccountState = Type.Object({
  open: Type.Boolean(),
  name: Type.String(),
  tier: Tier,
  requestsPerMinute: Type.Integer({ minimum: 1 }),
  /** ISO 8601, UTC. */
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type AccountState = Static<typeof AccountState>;

/** Specification, "Limits". An enterprise account's rate is its own; until one is set it has the partner rate. */
const requestsPerMinuteOf: Readonly<Record<Tier, number>> = { standard: 1000, partner: 5000, enterprise: 5000 };

export const noAccount: AccountState = {
  open: false,
  name: '',
  tier: 'standard',
  requestsPerMinute: requestsPerMinuteOf.standard,
  createdAt: '',
  updatedAt: '',
};

export function reduceAccount(
  state: AccountState,
  message: MessageOf<typeof accountMessages>,
  context: Context,
): Effects<AccountState> | Rejection {
  const now = new Date(context.nowMs).toISOString();
  switch (message.type) {
    case 'open': {
      if (state.open) return { reply: state };
      const { name, tier, requestsPerMinute } = message.body;
      const opened = {
        open: true,
        name,
        tier,
        requestsPerMinute: requestsPerMinute ?? requestsPerMinuteOf[tier],
        createdAt: now,
        updatedAt: now,
      };
      return { state: opened, reply: opened };
    }
    case 'update': {
      if (!state.open) return absent('The account');
      const { tier, requestsPerMinute } = message.body;
      const rate = requestsPerMinute ?? (tier === undefined ? state.requestsPerMinute : requestsPerMinuteOf[tier]);
      const updated = { ...state, ...message.body, requestsPerMinute: rate, updatedAt: now };
      return { state: updated, reply: updated };
    }
  }
}

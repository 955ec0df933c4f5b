import Type, { type Static } from 'typebox';
import { Nullable, Timestamp, Uuid } from '../api-schemas.ts';
import { defineFields } from '../field-table.ts';
import { ReservedName } from '../name/reservation.ts';
import { resourceTimes, revision } from '../resource-fields.ts';

/** The events that a webhook can subscribe to (specification, "Supply webhooks"). */
export const SubscribableEvent = Type.Enum([
  'publisher.verified',
  'publisher.verification_failed',
  'publisher.fill_rate_alert',
  'pool.dsp_joined',
  'creative.blocked',
]);
export type SubscribableEvent = Static<typeof SubscribableEvent>;

const Events = Type.Array(SubscribableEvent);

/** A webhook, field by field. */
export const webhookFields = defineFields({
  id: { api: { name: 'id', shown: Uuid } },
  /** '' while nothing was created. */
  accountId: { state: Type.String(), initial: '' },
  /** The URL as a unique name: no other webhook of the account and environment has it. */
  borneName: { state: ReservedName, initial: null },
  /** Written at creation only. */
  url: {
    state: Type.String(),
    message: Type.String({ minLength: 1 }),
    initial: '',
    api: {
      name: 'url',
      shown: Type.String(),
      written: Type.String({ minLength: 1, maxLength: 2048 }),
      required: true,
    },
  },
  events: {
    state: Events,
    message: Type.Array(SubscribableEvent, { minItems: 1 }),
    initial: [],
    api: {
      name: 'events',
      shown: Events,
      written: Type.Array(SubscribableEvent, {
        minItems: 1,
        maxItems: SubscribableEvent.enum.length,
        uniqueItems: true,
        description: 'What it is told of.',
      }),
      required: true,
    },
  },
  sealedSecret: { state: Type.String(), initial: '' },
  /** The former secret, which signs too until this instant, ms since the epoch. */
  formerSecret: {
    state: Nullable(Type.Object({ sealedSecret: Type.String(), untilMs: Type.Integer({ minimum: 0 }) })),
    initial: null,
  },
  status: {
    state: Type.Enum(['absent', 'active', 'disabled']),
    initial: 'absent',
    api: {
      name: 'status',
      shown: Type.Enum(['active', 'disabled'], {
        description:
          '`disabled`: nothing was acknowledged for a day, so nothing is sent until it is made `active` again.',
      }),
    },
  },
  /** When it was disabled, ISO 8601, UTC, and why. Null while it is active. */
  disabledAt: {
    state: Nullable(Type.String()),
    initial: null,
    api: { name: 'disabled_at', shown: Nullable(Timestamp) },
  },
  disabledReason: {
    state: Nullable(Type.String()),
    initial: null,
    api: { name: 'disabled_reason', shown: Nullable(Type.String()) },
  },
  /** The environment whose events it reports. */
  sandbox: {
    state: Type.Boolean(),
    initial: false,
    api: {
      name: 'sandbox',
      shown: Type.Boolean({ description: "Whether it is told of the sandbox's events or of live ones." }),
    },
  },
  /** The one partner whose sources it reports; null: all. */
  partnerId: {
    state: Nullable(Type.String()),
    initial: null,
    api: { name: 'partner_id', shown: Nullable(Uuid) },
  },
  /** True when the account's subscriptions know the webhook: null in a state of an older release. */
  enrolled: { state: Nullable(Type.Literal(true)), initial: null },
  revision,
  ...resourceTimes,
});

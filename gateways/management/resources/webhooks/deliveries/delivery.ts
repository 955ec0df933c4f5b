import Type, { type Static } from 'typebox';
import { Nullable, Timestamp, Uuid } from '#actors/api-schemas';
import { deliveryId } from '#actors/webhook-delivery/delivery-id';
import { type DeliveryState, DeliveryStatus, webhookDelivery } from '#actors/webhook-delivery/webhook-delivery';
import { eventTypes, type WebhookEvent } from '#actors/webhook-subscriptions/events';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '#gateways/management/deps';

const Attempt = Type.Object({
  ended_at: Timestamp,
  latency_ms: Type.Integer(),
  status_code: Nullable(Type.Integer({ description: 'Null when no answer came.' })),
  error: Nullable(Type.String({ description: 'Null when it was acknowledged.' })),
});

/** The delivery of one event to one webhook, as the API shows it. */
export const Delivery = Type.Object(
  {
    id: Type.String({ description: 'The event: the `webhook-id` of each of its POSTs.' }),
    webhook_id: Uuid,
    type: Type.Enum(eventTypes),
    status: Type.Enum([...DeliveryStatus.enum], {
      description: '`pending`: it is being tried. `dead`: given up after six attempts, or with its webhook.',
    }),
    event_at: Timestamp,
    created_at: Timestamp,
    ended_at: Nullable(Timestamp),
    next_attempt_at: Nullable(
      Type.String({
        format: 'date-time',
        description: 'Not before; what is about the same resource and happened earlier goes first.',
      }),
    ),
    attempt_count: Type.Integer({ description: 'Ever made, replays included.' }),
    attempts: Type.Array(Attempt, { description: 'The newest 30, oldest first.' }),
    given_up_for: Nullable(Type.String({ description: 'Why it was given up without another attempt.' })),
    data: Type.Unknown({ description: 'As it is sent; see `webhooks` in this document.' }),
  },
  { title: 'WebhookDelivery' },
);
export type Delivery = Static<typeof Delivery>;

export const DeliveryParams = Type.Object({
  id: Uuid,
  delivery_id: Type.String({ pattern: '^evt_[A-Za-z0-9_-]{1,120}$' }),
});

export function showDelivery(state: DeliveryState): Delivery {
  const { eventId, type, occurredAtMs, data } = webhookEventOf(state);
  return {
    id: eventId,
    webhook_id: state.webhookId,
    type,
    status: state.status,
    event_at: timestampOf(occurredAtMs),
    created_at: timestampOf(state.openedAtMs),
    ended_at: state.endedAtMs === null ? null : timestampOf(state.endedAtMs),
    next_attempt_at: state.nextAttemptAtMs === null ? null : timestampOf(state.nextAttemptAtMs),
    attempt_count: state.attemptCount,
    attempts: state.attempts.map(({ atMs, latencyMs, httpStatus, error }) => ({
      ended_at: timestampOf(atMs),
      latency_ms: latencyMs,
      status_code: httpStatus,
      error,
    })),
    given_up_for: state.givenUpFor,
    data,
  };
}

/**
 * Loads the delivery of an event to a webhook.
 * @throws ApiError NOT_FOUND
 */
export async function loadDelivery(deps: ManagementDeps, webhookId: string, eventId: string): Promise<DeliveryState> {
  const [document] = await deps.store.load([{ kind: webhookDelivery.kind, id: deliveryId(webhookId, eventId) }]);
  const state = (document?.state ?? null) as DeliveryState | null;
  if (!state?.happening) throw new ApiError('NOT_FOUND', 'The delivery does not exist.');
  return state;
}

export function webhookEventOf({ happening }: DeliveryState): WebhookEvent {
  if (happening === null) throw new Error('a delivery that was never opened');
  return happening;
}

/** A delivery in its state right after it was enqueued, for the moment before its record exists. */
export function justEnqueued(before: DeliveryState | null, webhookId: string, happening: WebhookEvent, nowMs: number) {
  return showDelivery({
    accountId: '',
    attempts: [],
    attemptCount: 0,
    round: 0,
    openedAtMs: nowMs,
    ...before,
    webhookId,
    happening,
    status: 'pending',
    givenUpFor: null,
    endedAtMs: null,
    nextAttemptAtMs: nowMs,
  });
}

function timestampOf(ms: number): string {
  return new Date(ms).toISOString();
}

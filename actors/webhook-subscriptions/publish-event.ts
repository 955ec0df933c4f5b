import type { Context, Send } from '../../runtime/actor/context.ts';
import type { EventData, EventType } from './events.ts';

export interface WebhookEventInput<T extends EventType> {
  readonly accountId: string;
  /** The partner and environment of the source that the event is about. */
  readonly partnerId: string | null;
  readonly sandbox: boolean;
  readonly type: T;
  /** `kind/id`. */
  readonly resource: string;
  readonly data: EventData<T>;
}

/**
 * The message that publishes an actor's change as an event: it leaves with the saved change, so there is exactly one
 * for each. The event is named after the message that caused it; one message causes one event at most.
 */
export function publishWebhookEvent<T extends EventType>(input: WebhookEventInput<T>, context: Context): Send {
  const { accountId, ...happened } = input;
  const [kind = ''] = context.address.split('/', 1);
  const eventId = `evt_${kind}_${context.id}_${context.position}`;
  return {
    to: `webhook-roll/${accountId}`,
    type: 'happened',
    body: { ...happened, eventId, occurredAtMs: context.nowMs },
  };
}

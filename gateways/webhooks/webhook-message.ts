import { Webhook } from 'standardwebhooks';
import type { WebhookEvent } from '../../actors/webhook-subscriptions/events.ts';

/** The body of one event, the same for each attempt. */
export function webhookBody({
  type,
  occurredAtMs,
  data,
}: Pick<WebhookEvent, 'type' | 'occurredAtMs' | 'data'>): string {
  return JSON.stringify({ type, timestamp: new Date(occurredAtMs).toISOString(), data });
}

/**
 * The headers of one attempt (Standard Webhooks, "Webhook headers"): the id identifies the event, the time is that of
 * the attempt, and there is one signature for each secret, so that a secret can be replaced while both are valid.
 */
export function webhookHeaders(
  eventId: string,
  body: string,
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> {
  const at = new Date(nowMs);
  return {
    'content-type': 'application/json',
    'user-agent': 'ad-exchange-webhooks/1.0',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, at, body)).join(' '),
  };
}

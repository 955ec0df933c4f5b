import { Webhook } from 'standardwebhooks';
import type { WebhookEvent } from '../../actors/webhook-subscriptions/events.ts';

/** What is sent of one event: the same body each time. */
export function webhookBody({
  type,
  occurredAtMs,
  data,
}: Pick<WebhookEvent, 'type' | 'occurredAtMs' | 'data'>): string {
  return JSON.stringify({ type, timestamp: new Date(occurredAtMs).toISOString(), data });
}

/**
 * The headers of one attempt (Standard Webhooks, "Webhook headers"): the id names the event, the time is that of the attempt,
 * and there is a signature for each secret, so that one can be replaced while both are known.
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

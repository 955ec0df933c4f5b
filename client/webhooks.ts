import { Webhook } from 'standardwebhooks';
import type { webhooks } from './api-types.ts';

type EventBody<E> = 0 extends 1 & E
  ? E
  : E extends { post: { requestBody: { content: { 'application/json': infer Body } } } }
    ? Body
    : never;

/** An event as it is delivered, told apart by `type`. */
export type WebhookEvent = EventBody<webhooks[keyof webhooks]>;

/** A delivery that is the exchange's. */
export interface Delivery {
  /** Of the event: the same each time it is sent. An event may come more than once. */
  readonly id: string;
  readonly event: WebhookEvent;
}

/** A delivery that is not the exchange's, or not of these minutes: answer it 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

type HeaderValues = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks who sent a delivery, and reads it. One of its signatures has to be of `secret`, compared in constant time, and
 * its time within five minutes of now.
 * @param headers of the request, as Node or `fetch` has them
 * @param rawBody as it came: not what JSON.parse and JSON.stringify make of it
 * @param secret `whsec_…`, or several of them, while one is replaced
 * @throws WebhookVerificationError
 */
export function verifyWebhook(
  headers: HeaderValues,
  rawBody: string | Uint8Array,
  secret: string | readonly string[],
): Delivery {
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder('utf-8', { ignoreBOM: true }).decode(rawBody);
  const signed = {
    'webhook-id': headerOf(headers, 'webhook-id'),
    'webhook-timestamp': headerOf(headers, 'webhook-timestamp'),
    'webhook-signature': headerOf(headers, 'webhook-signature'),
  };
  let failure: unknown = new Error('there is no secret');
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    try {
      return { id: signed['webhook-id'], event: new Webhook(one).verify(text, signed) as WebhookEvent };
    } catch (error) {
      failure = error;
    }
  }
  const { message } = failure as Error;
  throw new WebhookVerificationError(`The delivery is not accepted: ${message}`, { cause: failure });
}

function headerOf(headers: HeaderValues, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

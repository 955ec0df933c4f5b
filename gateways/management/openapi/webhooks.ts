import Type from 'typebox';
import { type EventType, eventData, eventTypes } from '#actors/webhook-subscriptions/events';
import type { Operation, Parameter } from './document.ts';
import type { Schemas } from './schemas.ts';

const summaries: Readonly<Record<EventType, string>> = {
  'publisher.verified': 'The ads.txt or app-ads.txt of a supply source names the exchange as its seller',
  'publisher.verification_failed':
    'The ads.txt or app-ads.txt of a supply source does not name the exchange, or not any more',
  'publisher.fill_rate_alert': 'The fill rate of a supply source dropped below its threshold; told once for each fall',
  'pool.dsp_joined': 'A demand source has subscribed to a pool',
  'creative.blocked':
    'Somebody has blocked a creative, or what creatives have in common; not again while it is blocked',
  'webhook.test': 'Somebody asked for it, by `POST /api/webhooks/{id}/test`',
};

const description = `Answer 200 within 5 seconds; nothing else acknowledges, not another 2xx and not a redirect. What is not acknowledged is sent again after 1, 2, 4, 8 and 16 s, each ± 20%, then given up and listed as \`dead\` among the webhook's deliveries, from where it can be replayed.

An event may come more than once, always under the same \`webhook-id\`. Events about the same resource come in the order in which they happened; others may overtake each other.`;

const header = (name: string, text: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description: text,
  schema: { type: 'string' },
});

const headers: readonly Parameter[] = [
  header('webhook-id', 'Of the event: the same each time it is sent.'),
  header('webhook-timestamp', 'Of this attempt, in seconds since the Unix epoch.'),
  header(
    'webhook-signature',
    '`v1,` and HMAC-SHA-256 in base64 of `{webhook-id}.{webhook-timestamp}.{body}` under the signing secret; after a rotation two of them, with a space between.',
  ),
];

/** Describes what the receivers of webhooks get: one operation for each event. */
export function describeWebhooks(schemas: Schemas): Record<string, Record<string, Operation>> {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: describeEvent(type, schemas) }]));
}

function describeEvent(type: EventType, schemas: Schemas): Operation {
  const body = Type.Object({
    type: Type.Literal(type),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened.' }),
    data: eventData[type],
  });
  const name = type
    .split(/[._]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
  return {
    operationId: `on${name}`,
    tags: ['Webhooks'],
    summary: summaries[type],
    description,
    security: [],
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema: schemas.writeAs(`${name}Event`, body) } } },
    responses: { 200: { description: 'Acknowledged. The body is of no interest.' } },
  };
}

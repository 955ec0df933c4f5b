import Type, { type Static, type TObject } from 'typebox';
import { REVIEW_SCOPES, REVIEW_SUBJECTS } from '../../exchange/creative/review-scope.ts';

/** The `data` of each event in the form in which receivers of webhooks get it. */

const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });
const PublisherId = Type.String({ description: 'Of the supply source.' });
const PublisherName = Type.String();
const Rate = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const NullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const Verified = Type.Object({
  publisher_id: PublisherId,
  publisher_name: PublisherName,
  domain: Type.String({ description: 'Whose file was read: the web domain, or the domain of the app’s developer.' }),
  file_url: Type.String({ description: 'The file that names the seller.' }),
  relationship: Type.Enum(['DIRECT', 'RESELLER'], { description: 'As that file says it.' }),
  checked_at: Timestamp,
});

const VerificationFailed = Type.Object({
  publisher_id: PublisherId,
  publisher_name: PublisherName,
  domain: NullableText('Whose file was looked for; null where none is known.'),
  file_url: NullableText('The file that was read, or that is not there.'),
  reason: Type.String({ description: 'One word of those that the verification of a supply source shows.' }),
  message: Type.String({ description: 'The same as a sentence.' }),
  expected_line: Type.String({ description: 'What the file should say.' }),
  checked_at: Timestamp,
});

const FillRateAlert = Type.Object({
  publisher_id: PublisherId,
  publisher_name: PublisherName,
  fill_rate: Rate('Of the window: imps answered with an ad ÷ imps auctioned.'),
  threshold: Rate('Below which the supply source asked to be told.'),
  imps: Type.Integer({ minimum: 0, description: 'Imps auctioned in the window.' }),
  window_start: Timestamp,
  window_end: Timestamp,
});

const DspJoined = Type.Object({
  pool_id: Type.String(),
  dsp_id: Type.String({ description: 'The demand source that has subscribed.' }),
  dsp_name: Type.String(),
  dsp_mode: Type.Enum(['rtb', 'delegate']),
});

const CreativeBlocked = Type.Object({
  rule_id: Type.String({ description: 'The decision: see `GET /api/creatives/rules`.' }),
  scope: Type.Enum([...REVIEW_SCOPES], { description: 'Whose ads it is about.' }),
  scope_id: Type.String({ description: 'The supply source, pool or account; empty for the exchange.' }),
  subject: Type.Enum([...REVIEW_SUBJECTS], { description: 'What is blocked.' }),
  value: Type.String({ description: 'Which one: an id, a fingerprint, a domain, a category or a number.' }),
  reason: Type.String({ description: 'As whoever blocked it put it.' }),
  creative_id: NullableText('The creative that was blocked, or looked at; null where the decision names none.'),
  dsp_id: NullableText('Its demand source.'),
  crid: NullableText('What its demand source calls it.'),
  fingerprint: NullableText('Of its markup; null where that differs in every auction.'),
});

const Test = Type.Object({ webhook_id: Type.String() });

/** Every event with the schema of its `data`. Webhooks subscribe to all but `webhook.test`. */
export const eventData = {
  'publisher.verified': Verified,
  'publisher.verification_failed': VerificationFailed,
  'publisher.fill_rate_alert': FillRateAlert,
  'pool.dsp_joined': DspJoined,
  'creative.blocked': CreativeBlocked,
  'webhook.test': Test,
} as const satisfies Record<string, TObject>;

export type EventType = keyof typeof eventData;
export type EventData<T extends EventType> = Static<(typeof eventData)[T]>;
export const eventTypes = Object.keys(eventData) as EventType[];

/** One event on its way to its subscribers. */
export const WebhookEvent = Type.Object({
  /**
   * The id of the event, the same in every delivery, by which receivers recognise a repetition. No dots: see Standard
   * Webhooks, "Signature scheme".
   */
  eventId: Type.String({ pattern: '^evt_[A-Za-z0-9_-]{1,120}$' }),
  type: Type.Enum(eventTypes),
  /** ms since the epoch. */
  occurredAtMs: Type.Integer({ minimum: 0 }),
  /**
   * The address `kind/id` of the subject: one webhook gets the events about one resource in the order in which they
   * happened.
   */
  resource: Type.String(),
  data: Type.Union([Verified, VerificationFailed, FillRateAlert, DspJoined, CreativeBlocked, Test]),
});
export type WebhookEvent = Static<typeof WebhookEvent>;

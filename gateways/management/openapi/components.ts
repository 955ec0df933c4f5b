import { errorCatalogue } from '../../errors.ts';
import { sessionCookieOf } from '../identity/session-token.ts';
import type { ManagementSettings } from '../settings.ts';
import type { Parameter, Reference, Schema } from './document.ts';

/** The schema of the error body (specification, "Errors"). */
export const errorSchema: Schema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'request_id'],
      properties: {
        code: { type: 'string', enum: Object.keys(errorCatalogue), description: 'What programs go by.' },
        message: { type: 'string', description: 'What people read; it may change.' },
        field: {
          type: 'string',
          description: 'The field or parameter at fault, a path such as `rules[2].conditions[0].value`.',
        },
        errors: {
          type: 'array',
          description:
            'Everything that is wrong with a request, at most 50 faults, of which `field` and `message` name the first. Of a validation error always; of a 502, the creatives that could not be fetched.',
          items: {
            type: 'object',
            required: ['field', 'message'],
            properties: { field: { type: 'string' }, message: { type: 'string' } },
          },
        },
        request_id: { type: 'string', description: 'That of `X-Request-Id`, for support.' },
        reset_at: { type: 'integer', description: 'Unix seconds. With RATE_LIMITED: when to come back.' },
      },
    },
  },
};

const wholeNumber: Schema = { type: 'integer', minimum: 0 };

export const headers = {
  'X-Request-Id': {
    description: "Names the request, for support: the caller's own `X-Request-Id` when it sent a harmless one.",
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'Requests per minute that the caller may make.', schema: wholeNumber },
  'X-RateLimit-Remaining': { description: 'How many of them are left in this minute.', schema: wholeNumber },
  'X-RateLimit-Reset': { description: 'When the minute ends, in Unix seconds.', schema: wholeNumber },
  ETag: {
    description:
      "For `If-None-Match`, to be sent back as it came: the resource's revision, for `If-Match` too; or, weak, what was answered.",
    schema: { type: 'string' },
  },
  'X-Total-Count': { description: 'How many the list has, on all its pages.', schema: wholeNumber },
  Link: {
    description: 'The first, previous, next and last page (RFC 8288), as far as there are any.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait before trying again.', schema: wholeNumber },
  'WWW-Authenticate': {
    description: 'The ways to authenticate: `Bearer`, and `ApiKey` with the header `X-API-Key`.',
    schema: { type: 'string' },
  },
  Warning: {
    description:
      'Where query parameters were sent that the endpoint does not know, and ignored: `299 - "Unknown query parameters: perpage"` (RFC 7234 §5.5).',
    schema: { type: 'string' },
  },
  'Content-Disposition': { description: 'The name of the file.', schema: { type: 'string' } },
} as const;
export type HeaderName = keyof typeof headers;

export function headerReferences(names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers of every answer. */
export const commonHeaders: readonly HeaderName[] = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

const booleanText: Schema = { type: 'string', enum: ['true', 'false'] };

export const parameters = {
  sandboxHeader: {
    name: 'X-Sandbox',
    in: 'header',
    description: '`true` selects the sandbox context, which sandbox keys are in anyway.',
    schema: booleanText,
  },
  sandboxQuery: { name: 'sandbox', in: 'query', description: 'The same as `X-Sandbox`.', schema: booleanText },
  partner: {
    name: 'X-User-Partner-ID',
    in: 'header',
    description: 'Narrows the request to one partner of the account. Without it, answers are over all partners.',
    schema: { type: 'string', format: 'uuid' },
  },
  requiredPartner: {
    name: 'X-User-Partner-ID',
    in: 'header',
    required: true,
    description: 'The partner of the account that is asked for. 403 FORBIDDEN without it.',
    schema: { type: 'string', format: 'uuid' },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Any text that the caller makes up for this request. The same request of the same caller again, with the same key and within 24 hours, changes nothing more and is answered like the first. With another body, query or `If-Match` it is another request.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]*[\\x21-\\x7e][\\x20-\\x7e]*$' },
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'An `ETag` of the resource: when the resource has changed since, nothing changes and the answer is 412.',
    schema: { type: 'string', minLength: 1 },
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'An `ETag` of the resource: when it is still the same, the answer is 304, without a body.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Parameter>;

export function parameterReference(name: keyof typeof parameters): Reference {
  return { $ref: `#/components/parameters/${name}` };
}

export const securitySchemesOf = (settings: Pick<ManagementSettings, 'publicBaseUrl'>) => ({
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'A key of the account: `pk_live_…`, or `pk_sandbox_…`, which reaches the sandbox alone.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieOf(settings),
    description:
      "The session of a user, from `POST /api/auth/login`. It ends after 24 hours without a request. That of a source's own people reaches what the source's key reaches, and their own login.",
  },
  publisherKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: "The key of one supply source, `pub_…`: it reads that source's reports and nothing else.",
  },
  dspKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: "The key of one demand source, `dsp_…`: it reads that source's reports and nothing else.",
  },
});

import { ApiError, type ErrorCode, errorCatalogue } from '#gateways/errors';
import { errorBody } from '#gateways/http/answer-error';
import { table } from '../table.ts';

/** When each error comes, and what its caller does then. */
const ADVICE: Readonly<Record<ErrorCode, string>> = {
  INVALID_PARAMS: 'Correct the parameter or field that `field` names; the same call fails again.',
  INVALID_JSON: 'Send JSON, in UTF-8.',
  VALIDATION_ERROR: 'Correct the fields that `errors` lists: all of them are named at once.',
  UNAUTHORIZED: 'Send a valid key in `X-API-Key`, or log in again: keys are revoked and sessions end.',
  FORBIDDEN:
    'Use a key that reaches this; of an ad request, see [the reasons](loss-reasons.md#a-request-that-was-refused-403).',
  NOT_FOUND:
    'Check the id and the environment: a sandbox key sees the sandbox alone. What is another account’s is not found either.',
  METHOD_NOT_ALLOWED: '`Allow` lists the methods.',
  REQUEST_TIMEOUT: 'Send the body without pauses; it may be sent again.',
  CONFLICT: 'Read the resource: it exists already, or its state forbids the change.',
  PRECONDITION_FAILED: 'Read the resource again, and repeat the change with its new `ETag` in `If-Match`.',
  PAYLOAD_TOO_LARGE: 'Send less, or in parts.',
  UNSUPPORTED_MEDIA_TYPE: 'Set `Content-Type: application/json`; of codings, gzip is taken.',
  STRATEGY_INVALID: 'Correct the strategy: `errors` lists every fault with its path.',
  QUOTA_EXCEEDED: 'Delete files, or ask for more room: see [the limits](../limits.md).',
  RATE_LIMITED: 'Wait until `reset_at`; `X-RateLimit-Remaining` says beforehand how many calls are left.',
  INTERNAL_ERROR:
    'Tell the operator the `request_id`, under which the cause is logged. A change may have been made: read before you repeat it.',
  BAD_GATEWAY: 'Check the server that was asked (a creative’s, a webhook’s), and try again.',
  SERVICE_UNAVAILABLE: 'Try again after `Retry-After`. Of an impression: call the same URL again, it counts once.',
  AUCTION_TIMEOUT: 'Ask again, with the same request id or another; nothing was sold.',
};

/** The errors that the edge answers; the management API answers all but the last of them. */
export const OF_THE_EDGE: readonly ErrorCode[] = [
  'INVALID_PARAMS',
  'INVALID_JSON',
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'AUCTION_TIMEOUT',
];

const EXAMPLE = errorBody(
  new ApiError('VALIDATION_ERROR', 'floor_price_cpm must be a number of 0 or more', 'floor_price_cpm'),
  '0199b0f6-5d0c-7d5a-9f43-2f1f6a3c8b11',
);

/** docs/reference/errors.md. */
export function errorsPage(): string {
  const rows = Object.entries(errorCatalogue).map(([name, entry]) => {
    const { status, message, retryAfterS }: { status: number; message: string; retryAfterS?: number } = entry;
    return [
      `\`${name}\``,
      String(status),
      OF_THE_EDGE.includes(name as ErrorCode) ? 'yes' : '',
      retryAfterS === undefined ? '' : `${retryAfterS} s`,
      message,
      ADVICE[name as ErrorCode],
    ];
  });
  return `# Errors

<!-- Made by \`npm run reference\` of gateways/errors.ts and test/documentation/reference/errors-page.ts: change those, not this page. -->

Every error of the management API and of the edge has this body. The HTTP status follows from \`code\`; programs go by \`code\`, the message is for people
and may change.

\`\`\`json
${JSON.stringify(EXAMPLE, null, 2)}
\`\`\`

- \`field\` and \`errors\` come with 400 and 422 only, where a field is at fault. \`errors\` lists all faults of a body, \`field\` is the first one's.
- \`request_id\` is also the header \`X-Request-Id\` of every answer, and is in the log of the exchange. A call may bring its own.
- \`reset_at\` (Unix seconds) comes with \`RATE_LIMITED\`.
- **retry** is the header \`Retry-After\`. Calls that change something may be sent again with the same \`Idempotency-Key\`.

## The catalogue

**edge**: the edge answers it, too (ad requests, tags, tracking, matching).

${table(['code', 'status', 'edge', 'retry', 'message, unless there is a better one', 'what to do'], rows)}

## What the edge answers besides

${table(
  ['call', 'when nothing is sold or found'],
  [
    ['`/rtb`', '204 without a body; `GET /api/auctions` has [the reason](loss-reasons.md)'],
    [
      '`/vast`, `/ad`',
      'a document without ads; `X-No-Fill-Reason` says why in the sandbox and to keys: [tags.md](../tags.md#when-no-ad-comes)',
    ],
    [
      '`/track/impression`',
      'the GIF with 200, also for a URL that is forged, expired or used: callers do not learn which ones bill; 503 if it could be recorded nowhere',
    ],
  ],
)}
`;
}

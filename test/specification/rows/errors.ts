import { rowsShownIn, type Section } from '../row.ts';

export const errors: Section = {
  title: 'Errors',
  rows: [
    ...rowsShownIn('campaigns.test.ts', {
      'error.warning.non_standard_size': 'Banner: `non_standard_size:WxH`.',
    }),
    ...rowsShownIn('strategy.test.ts', {
      'error.422.STRATEGY_INVALID':
        'A strategy that fails validation is 422 STRATEGY_INVALID, `field` a path, with every error in `errors`.',
    }),
    ...rowsShownIn('errors.test.ts', {
      'error.body': 'An error is `{error: {code, message, request_id}}`.',
      'error.field': '`field` is present for validation errors only.',
      'error.errors': 'A validation error lists all that is wrong in `errors`, in words for people.',
      'error.unknown-parameter': 'Query parameters that are not known are named in a `Warning` header.',
      'error.request_id': '`request_id` is that of `X-Request-Id`, which every response has.',
      'error.request_id.given': 'A caller’s own `X-Request-Id` is kept.',
      'error.200': '200: success.',
      'error.201': '201: created.',
      'error.204': '204: no content, an empty body.',
      'error.400.INVALID_PARAMS.body': 'A missing required field is 400 INVALID_PARAMS.',
      'error.400.INVALID_PARAMS.query': 'A malformed query parameter is 400 INVALID_PARAMS.',
      'error.400.INVALID_JSON': 'A body that is not valid JSON is 400 INVALID_JSON.',
      'error.400.VALIDATION_ERROR.type': 'A field of the wrong type is 400 VALIDATION_ERROR.',
      'error.400.VALIDATION_ERROR.value': 'A field of the wrong value or range is 400 VALIDATION_ERROR.',
      'error.401.UNAUTHORIZED': 'A missing or invalid key is 401 UNAUTHORIZED.',
      'error.403.FORBIDDEN': 'A valid key of the wrong scope is 403 FORBIDDEN.',
      'error.404.NOT_FOUND': 'An absent resource is 404 NOT_FOUND.',
      'error.405.METHOD_NOT_ALLOWED': 'A method that a resource does not know is 405 METHOD_NOT_ALLOWED, with `Allow`.',
      'error.409.CONFLICT': 'A duplicate name is 409 CONFLICT.',
      'error.412.PRECONDITION_FAILED': 'A change against an outdated `If-Match` is 412 PRECONDITION_FAILED.',
      'error.413.PAYLOAD_TOO_LARGE': 'A body over the limit is 413 PAYLOAD_TOO_LARGE.',
      'error.415.UNSUPPORTED_MEDIA_TYPE': 'Another Content-Type is 415 UNSUPPORTED_MEDIA_TYPE.',
      'error.edge': 'Errors on {rtb_url} have the same body.',
      'error.503.SERVICE_UNAVAILABLE': 'Overload of an edge is 503 SERVICE_UNAVAILABLE, to be tried again after 30 s.',
    }),
    ...rowsShownIn('rate-limits.test.ts', {
      'error.429.RATE_LIMITED': 'Too many requests are 429 RATE_LIMITED with `reset_at`.',
    }),
    ...rowsShownIn('any-request.test.ts', {
      'error.500.INTERNAL_ERROR':
        'Of 500 random requests of the management API none is answered 500 (what is: `test/gateways/management/failures.test.ts`), nor with a status that its route does not declare.',
    }),
    ...rowsShownIn('creatives.test.ts', {
      'error.502.BAD_GATEWAY':
        'A creative that fails when it is fetched on the caller’s behalf is 502 BAD_GATEWAY, to be tried again after 5 s.',
      'error.creative_warnings': 'Creative warnings are not errors: the creative still serves.',
    }),
    ...rowsShownIn('creative-files.test.ts', {
      'error.warning.unsupported_container': 'Video: `unsupported_container`.',
      'error.warning.unsupported_video_codec': 'Video: `unsupported_video_codec`.',
      'error.warning.no_audio_track': 'Video: `no_audio_track`.',
      'error.warning.unsupported_audio_codec': 'Video: `unsupported_audio_codec`.',
      'error.warning.large_file': 'Video: `large_file`.',
      'error.warning.banner_oversized': 'Banner: `banner_oversized`.',
      'error.warning.audio_oversized': 'Audio: `audio_oversized`.',
      'error.warning.unsupported_audio_format': 'Audio: `unsupported_audio_format`.',
      'error.warning.uncompressed_audio': 'Audio: `uncompressed_audio`.',
      'error.warning.html5_oversized': 'HTML5: `html5_oversized`, of markup saved when more than 256 KiB was allowed.',
    }),
    ...rowsShownIn('bidder-failures.test.ts', {
      'error.503.AUCTION_TIMEOUT': 'An auction that exceeds its own time is 503 AUCTION_TIMEOUT.',
    }),
    ...rowsShownIn('webhooks.test.ts', {
      'error.backoff':
        'What the exchange tries again itself, webhooks, waits 1, 2, 4 s with jitter; its plan goes on with 8 and 16 s and then gives up.',
      'error.500.backoff': 'What was answered 500 is tried again, after a wait twice as long as the one before.',
    }),
  ],
};

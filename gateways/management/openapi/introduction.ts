import type { ManagementSettings } from '../settings.ts';

/** The rules that hold for the whole API: the first page of its description. Markdown. */
export function introduction(settings: ManagementSettings): string {
  return `Everything is JSON in UTF-8. Times are ISO 8601 in UTC, prices are USD CPM, amounts are cents.

## Authentication

\`X-API-Key\` with a key of the account, \`pk_live_…\` or \`pk_sandbox_…\`; or the cookie of a user's session, from \`POST /api/auth/login\`. Keys, and the keys of sources, are made in a session: \`POST /api/keys\`, \`POST /api/supply/sources/{id}/key\`, \`POST /api/demand/sources/{id}/key\`. Reports of one source are read with that source's own key, \`pub_…\` or \`dsp_…\`, in the same header. A key may come as \`Authorization: Bearer <key>\` instead, here and for ad requests; where both are sent, \`X-API-Key\` counts. Credentials that are not valid are 401, and ignored where none are needed.

## Sandbox and live

Sandbox and live data share these URLs and never mix. \`X-Sandbox: true\`, \`sandbox=true\` or a \`pk_sandbox_…\` key selects the sandbox context, in which live resources do not exist. Outside of it, lists show live sources; a sandbox source is still reached by its id, for \`{"sandbox": false}\` makes it live. Pools hold sources of both, and sell each to its own kind.

To rehearse: \`GET /api/sandbox/health\` tells what there is, \`POST /api/sandbox/test-bid\` tries a bidder, \`POST /api/sandbox/simulate-auction\` a strategy, and an ad request for a sandbox publisher is a sandbox auction.

## Partners

With \`X-User-Partner-ID\`, a request sees one partner of the account alone, and what it creates belongs to that partner.

## Metrics as they happen

A WebSocket at \`/ws/metrics\` on this host, with a key of the account, as \`Authorization: Bearer\` or as \`X-API-Key\`; \`X-Sandbox\`, \`sandbox=true\` and \`X-User-Partner-ID\` hold as elsewhere. A page of the dashboard's own origin may bring its session's cookie instead. Every 5 s comes \`{"type": "metrics_update", "timestamp", "rps", "fill_rate_1m", "revenue_cents_1m"}\`: auctions a second, the share of imps that had an ad and the payout, in whole cents, of the last minute, counted to five seconds. Nothing is expected of you but answers to pings. Refusals are those of any request, before the upgrade; 429 when too many sockets are open with one key or session, or of one account. It closes with 1008 when the key or session has ended, 1001 when the process goes: connect again.

## Errors

\`{"error": {"code", "message", "field", "errors", "request_id", "reset_at"}}\`, of which \`code\`, \`message\` and \`request_id\` are always there. A validation error (400, 422) has \`field\` and \`errors\`, a list of \`{field, message}\` of all that is wrong with the request, at most 50, the first of which \`field\` and \`message\` repeat. Try again when \`Retry-After\` says, where an answer has it; else 429 when \`reset_at\` has passed, 502 after 5 s, 500 and 503 after 1, 2, 4, 8 and 16 s with jitter. A path that is not here is 404, a method that a path has not is 405 with \`Allow\`.

## Limits

- Requests per minute and account: 1,000 (standard), 5,000 (partner), or as agreed (enterprise); all keys, source keys and sessions of an account count together. One source (its key and its people), and all sandbox keys together, may make as many each; past half of the limit their requests do not count for the account. Requests without valid credentials: ${settings.anonymousRequestsPerMinute.toLocaleString('en')} per minute and network address. \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` are on every answer.
- Bodies: ${settings.bodyLimitBytes.toLocaleString('en')} bytes after decompression, where an endpoint does not say otherwise. Headers: 16,384 bytes together. A request must have arrived within 30 s.
- What an account has of sources, pools, partners, campaigns, strategies, webhooks, users, keys and files of creatives: \`GET /api/account\` shows \`limits\` and \`usage\`, live and in the sandbox each. One more than there may be is 409 CONFLICT, more bytes are 422 QUOTA_EXCEEDED, a creative whose files have no room is refused with its field. What is archived or deleted makes room; operators raise limits (\`PUT /api/accounts/{id}\`).

## Queries

Parameters that an endpoint does not name are ignored, and named in a \`Warning\` header of the answer: \`299 - "Unknown query parameters: perpage"\` (RFC 7234 §5.5). Fields of a body that it does not name are refused.

## Lists

Every list that can grow takes \`page\` and \`per_page\`, or a \`cursor\` where it grows by itself. Without them it is whole, unless the endpoint has a default. \`X-Total-Count\` says how many there are, \`Link\` (RFC 8288) where the other pages are. \`sort\` orders lists of what accounts own.

## Changes

A PUT changes the fields that it includes and no others, and PATCH does the same (a strategy, which PUT replaces, is changed by a JSON merge patch, RFC 7396). \`ETag\` and \`If-Match\` keep two writers from overwriting each other; \`Idempotency-Key\` makes it safe to send a request again.

## CSV

Where an answer is offered as \`text/csv\`, \`Accept: text/csv\` gets it. Text that a spreadsheet would take for a formula begins with an apostrophe.

## Browsers

CORS is for pages of this API's own origin and of origins on the operator's allowlist (\`CORS_ORIGINS\`), with credentials; and, once \`EXCHANGE_DOMAIN\` is set, for pages of every host of that registrable domain over the same protocol, without: they bring a key. Hosts of ads and of creatives are never meant.

## Ad requests

Auctions, ad tags and tracking are on a host of their own, ${settings.publicEdgeUrl}, and have no rate limit of this kind:

- \`POST /\` or \`POST /rtb\`: an OpenRTB 2.5 or 2.6 bid request; 200 with the bid response, 204 without a bid, 403 when blocked (counted by reason: \`GET /api/supply/sources/{id}/blocked\`).
- \`GET /vast\` (\`site_id\`, \`w\`, \`h\`, \`ip\`, \`ua\`, \`sandbox\`, \`floor\`; \`version\` and \`wrapper\`: what the player takes): VAST, empty when nothing fills.
- \`GET /ad\` (\`publisher_id\`, \`format\`, \`w\`, \`h\`, \`sizes\`): HTML, VAST or JSON by \`format\`, one of \`banner\`, \`video\`, \`native\`, \`audio\`.
- \`GET /tag.js\`: the JS tag: \`<div data-ad-publisher="…" data-ad-sizes="300x250"></div>\` becomes an ad.
- \`GET /api/regions\`, as here, and \`GET /ping\`: 204 and nothing else, what the round trip to a region is measured with.
- \`GET /track/impression\`: a GIF of 43 bytes; counts the impression that the exchange sold, once.
- \`POST /track/view\`, or GET, as players call trackers: what was seen of it, \`event=measurable\`, \`viewable\`, \`not_viewable\` or \`undetermined\`; each counts once for a billed impression, and bills nothing. VAST 4 and native markup brings these URLs to players. \`POST /api/scout/events\` takes the same here.
- \`GET /creative/{sha256}\`: a file of a delegate's creative, hosted here as long as an ad may show it, and two days more.
- \`GET /sync\` (\`publisher_id\`, \`type\`: \`iframe\` or \`pixel\`): a page calls the publisher's buyers, which send the browser back to \`/sync/set\` with their id of it: \`user.buyeruid\` from then on. \`GET /sync?dsp=…&redirect=…\`: a buyer begins itself, and is told the exchange's id in \`\${USER_ID}\`. \`GET /sync/optout\`: the browser is not recognised any more.

Tags take much more: consent (\`gdpr\`, \`gdpr_consent\`, \`us_privacy\`, \`gpp\`, \`gpp_sid\`, \`coppa\`, \`lmt\`, \`dnt\`), the app, the page, its content and the device. A value that is none of a parameter's is 400 and names it. Pages of any origin may call these endpoints.
`;
}

import { ConnectionProblem } from '../../actors/bidder-health/messages.ts';
import { explainLoss, explainNoBid } from '../../exchange/auction/explain-reason.ts';
import { LOSS_REASONS, type LossReason, NO_BID_REASONS, type NoBidReason } from '../../exchange/auction/loss-reason.ts';
import { BID_REQUEST } from '../../exchange/openrtb/bid-request.ts';
import { BID_FIELDS, MAX_MARKUP, REQUIRED_BID_FIELDS } from '../../exchange/openrtb/bid-response-shape.ts';
import { MACROS, MAX_FILLED_MARKUP, type MacroValues } from '../../exchange/openrtb/macros.ts';
import { movedFields } from '../../exchange/openrtb/moved-fields.ts';
import { MAX_BIDS } from '../../exchange/openrtb/parse-bid-response.ts';
import { DEFAULT_NOTICE_SETTINGS as NOTICES } from '../../gateways/bidders/notices/settings.ts';
import { DEFAULT_BIDDER_SETTINGS as CALLS } from '../../gateways/bidders/settings.ts';
import { table } from './table.ts';

/** What each field of a bid is for. */
const FIELDS: Readonly<Record<string, string>> = {
  id: 'your id of the bid, once in an answer',
  impid: 'the `imp.id` that it is for',
  price: 'for a thousand impressions, above 0, in the currency of the answer; what you bid is what you pay',
  nurl: 'win notice; without `adm`, its answer is the markup',
  burl: 'billing notice: called when the impression is billed',
  lurl: 'loss notice, with the reason',
  adm: 'markup: HTML, VAST or native JSON',
  adid: 'passed on by its macro',
  adomain:
    'advertiser domains, checked against `badv`, deals and competitors of the same break; internationalised ones in either form',
  bundle: 'the advertised app, checked against `bapp`',
  iurl: 'an image of the ad; passed on',
  cid: 'your campaign; passed on',
  crid: 'your creative; reports use it',
  cat: 'IAB categories, checked against `bcat` and those that the exchange never sells',
  cattax: 'the taxonomy of `cat`; 1 when absent',
  attr: 'creative attributes, checked against `battr`',
  api: 'the API that the markup needs (2.5)',
  apis: 'the same (2.6)',
  protocol: 'the VAST version of the markup',
  language: 'passed on',
  dealid: 'the deal under which the bid is made',
  w: 'width; with `h` it must be a size that the banner takes',
  h: 'height',
  wratio: 'relative width, where no size is given',
  hratio: 'relative height',
  exp: 'seconds for which you honour the bid',
  dur: 'seconds that a video or audio ad lasts; needed in a dynamic pod, and for floors by duration',
  slotinpod: 'the place in the pod that it needs; refused where the imp does not promise it',
  mtype: 'the kind of markup: 1 banner, 2 video, 3 audio, 4 native; detected when absent',
};

const VALUES: Readonly<Record<keyof MacroValues, string>> = {
  auctionId: 'the request’s `id`',
  bidId: 'your answer’s `bidid`',
  impId: 'the imp’s `id`',
  seatId: 'your `seat`',
  adId: 'the bid’s `adid`',
  price: 'the clearing price, CPM in the currency of your answer: in a loss notice, the winner’s',
  currency: 'the answer’s `cur`',
  marketBidRatio: 'clearing price ÷ your bid; 1 for a winner, less for one that pays an agreed price',
  loss: 'the loss code below; 0 for a winner',
  minToWin: 'the lowest price that would have won',
  multiplier: 'number of impressions won: 1',
  impressionMs: 'when the impression was counted, ms since 1970; in `burl` only',
  discountPercent: 'empty: no discounts are given',
  discountCpm: 'empty, as above',
};

const TLS = `## TLS

Give your endpoint an \`https\` URL: requests name people's devices.

- **TLS 1.2 or 1.3**, with a certificate for the host in \`endpoint_url\` and the whole chain up to a well-known authority. An authority of your own needs the
  operator's \`BIDDER_CA_FILE\`. SNI names the host, so several hosts may share an address.
- **Resume sessions.** Each new connection offers the session of the one before (tickets or ids), which spares you the certificate and the exchange its check.
  A session that you refuse is forgotten.
- **HTTP/1.1 with keep-alive**, one request at a time on a connection. Name a \`Keep-Alive: timeout\` if yours is under ${(CALLS.keepAliveMs + 1_000) / 1000} s: the exchange ends a connection a
  second before it. Without one, ${CALLS.keepAliveMs / 1000} s of disuse end it. HTTP/2 is not offered unless the operator chooses so (\`BIDDER_HTTP_CLIENT\`): it costs the exchange more
  ([performance.md](performance.md#http2-to-bidders)).
- **Mutual TLS.** If you ask for a certificate, you get the one of the operator's \`BIDDER_CERTIFICATE_FILE\`; agree on it beforehand.
- A connection that fails is \`tls-failed\` in auctions, and \`connection_problem\` of your health says why: ${ConnectionProblem.enum.map((name) => `\`${name}\``).join(', ')}.
  The same certificates count for notices and for markup by \`nurl\`.`;

/** docs/dsp.md. */
export function dspPage(): string {
  const fields = Object.keys(BID_FIELDS).map((name) => [
    `\`${name}\`${REQUIRED_BID_FIELDS.includes(name) ? ' *' : ''}`,
    FIELDS[name] ?? 'read',
  ]);
  const macros = Object.entries(MACROS).map(([name, value]) => [`\`\${AUCTION_${name}}\``, VALUES[value]]);
  const losses = Object.keys(LOSS_REASONS).map((reason) => {
    const { words, lossCode, nonBidStatus } = explainLoss(reason as LossReason);
    return [`\`${reason}\``, String(lossCode), String(nonBidStatus), words];
  });
  const silences = Object.keys(NO_BID_REASONS).map((reason) => {
    const { words, nonBidStatus } = explainNoBid(reason as NoBidReason);
    return [`\`${reason}\``, String(nonBidStatus), words];
  });
  const moved = Object.entries(BID_REQUEST.fields).flatMap(([object, { table }]) =>
    (table === null ? [] : movedFields(table)).map((name) => [`\`${object}.${name}\``, `\`${object}.ext.${name}\``]),
  );
  const { breaker } = CALLS;
  return `# The bid contract

<!-- Made by \`npm run reference\` of test/documentation/dsp-page.ts and of what the exchange reads: change those, not this page. -->

This page is for authors of bidders. [A tutorial](tutorial/dsp.md) connects one in five minutes.

## The call

- The exchange sends one \`POST\` of JSON for each auction to the demand source's \`endpoint_url\`. The user name and password in it become
  \`Authorization: Basic\`.
- \`x-openrtb-version\` names the dialect, which the demand source sets: \`openrtb_version\` \`2.6\` (when absent) or \`2.5\`.
- The request's body is not compressed. Answers may be: \`accept-encoding: gzip\` is sent. No other coding is read.
- An answer is \`200\` with JSON, or \`204\`. Any other answer, redirects included, is \`http-error\`. An answer has at most ${kib(CALLS.maxResponseBytes)},
  compressed and decompressed, and ${MAX_BIDS} bids.
- Connections are kept alive. Keep them open: a new connection takes time from your part of the auction.

${TLS}

## Time

You have ${CALLS.maxTimeoutMs} ms, or the demand source's \`timeout_ms\` if that is less. The publisher's own \`tmax\` may shorten it; the exchange keeps
${CALLS.answerMarginMs} ms of that for its own work and the way back. \`tmax\` in the request is the time that you really have. When it is over the socket is closed. With less
than ${CALLS.minTimeoutMs} ms left you are not asked.

- At least ${breaker.minimumCalls} calls in ${breaker.windowMs / 1000} s, of which ${breaker.timeoutRate * 100} % timed out or ${breaker.errorRate * 100} % failed: the circuit breaker opens for ${breaker.openMs / 1000} s. Then you get one
  call at a time, and ${breaker.probesToClose} good answers close it.
- \`qps_limit\` of the demand source holds for the whole exchange. At most ${CALLS.maxConcurrentCalls} calls from one edge to you are under way at once.
- \`GET /api/demand/sources/{id}/health\` shows the state of the breaker and the rates.

## The request

The request is OpenRTB as the publisher sent it, unknown fields and \`ext\` included, with the exchange's additions:

- \`id\`, \`imp\` and, of \`site\`, \`app\` and \`dooh\`, at most one. A publisher's request without them is refused before you see it.
- \`at\` is 1: first price. \`cur\` begins with \`USD\`; floors are in US dollars. \`imp.bidfloor\` is the highest of the publisher's, the pool's and the imp's floor.
- \`bcat\`, \`badv\` and \`battr\` list what the publisher blocks and what the exchange never sells. Bids are checked against them.
- \`publisher.id\` is the seller in the exchange's \`sellers.json\` and in \`source.schain\`. \`publisher.ext.verified\` is 1 if the publisher's ads.txt lists the
  exchange.
- \`user.buyeruid\` is your own id of the viewer, after a match by \`/sync\` ([how to take part](subsystems/user-matching.md#taking-part)). Under GDPR without consent, and for children, ids, location and
  address are shortened or left out; see [privacy.md](privacy.md).

2.6 bidders get these fields in their own place, 2.5 bidders in \`ext\`:

${table(['2.6', '2.5'], moved)}

Fields that 2.6 added and 2.5 has no place for are left out for 2.5: pods (\`maxseq\`, \`poddur\`, \`podid\` …, translated to durations), \`durfloors\`,
\`mincpmpersec\`, \`dooh\`, \`cattax\` other than 1, \`device.sua\`, \`wlangb\`, \`acat\`. \`bidfloor\` of an imp with video or audio alone, and of its deals, is at least
the lowest of the floors by duration: longer ads may need more.

## The answer

\`id\` must be that of the request. \`cur\` is \`USD\`, or absent, or a currency of \`GET /api/currency-rates\` ([currencies](currencies.md)); an answer with longer text there is malformed. No bid is \`204\`, an empty body, or no \`seatbid\`. A \`seatbid\` with \`group\` 1 wins or
loses as a whole. A malformed bid loses without affecting the others. Fields with a * are required; all others are read if present, and fields that are
not listed are ignored. What generated code writes into unset fields counts as absent: null, an empty text (also \`cur\` and \`seat\`), and 0 of
\`w\`, \`h\`, \`wratio\`, \`hratio\`, \`dur\`, \`cattax\`, \`api\` and \`protocol\`. The seat of bids without \`seat\` is the id of your demand source: publishers read it,
and \`wseat\` and \`bseat\` may name it.

${table(['of a bid', 'what it is'], fields)}

\`adm\` may have ${MAX_MARKUP.toLocaleString('en-US')} characters. A bid needs \`adm\` or a \`nurl\` that answers with the markup in time; such a
\`nurl\` has at most ${NOTICES.maxUrlLength.toLocaleString('en-US')} characters with its macros filled. A demand source whose \`nurl\` brings no markup, or none that wins, in five rounds of an
auction loses its other bids without \`adm\`. The exchange writes its pixel into the winner's markup. Markup for a secure imp may load nothing over plain HTTP.

Where a floor depends on the duration (\`durfloors\`, \`mincpmpersec\` of the imp or the deal), a bid without \`dur\` lasts as long as its VAST says. A wrapper,
several ads in one document, and markup that \`nurl\` is to bring may last as long as the imp takes: such a bid needs the highest of these floors. Where no length is
the longest, it loses as \`duration-not-allowed\` if a second has a floor.

## Deals

Deals are set by the publisher: \`imp.pmp.deals\`. A bid under a deal names its \`dealid\`, pays at least the deal's floor, with those of
its \`durfloors\` and \`mincpmpersec\`, and comes from a seat of \`wseat\` and for a domain of \`wadomain\` if those are given. With
\`deal.at\` 3 the price is the deal's floor, even if you bid more; a deal that names no price comes with \`at\` 1. Where the publisher's deal
states a floor (\`bidfloor\`, \`durfloors\` or \`mincpmpersec\`), floors by duration of the imp do not count for its bids; \`bidfloor\` of the imp does, and the
deal's is raised to it. Any other deal has the floor of the imp; of an imp with floors by duration it names none, and those of the
imp count. \`private_auction\` 1 accepts bids under deals alone.

## Macros

Macros work in \`adm\`, \`nurl\`, \`burl\` and \`lurl\`. Within an encoded URL write \`%24%7BAUCTION_PRICE%7D\`. \`\${AUCTION_PRICE:B64}\` is the value in Base64. Ids are
written as URL components. An unknown value becomes empty. Markup of more than ${MAX_FILLED_MARKUP.toLocaleString('en-US')} characters with its macros filled is not sold.

${table(['macro', 'becomes'], macros)}

## Notices

- \`nurl\` reports that you won, by \`GET\`, once. A win costs nothing yet. For an ad that the exchange puts into the page or the player itself (a
  tag) it comes at once. Whoever sends bid requests still chooses among the answers: there it comes when the publisher calls the exchange's
  \`nurl\`, and otherwise at the first billed impression, as far as \`nurl\` and \`burl\` have at most 2,000 URL-encoded characters together. A \`nurl\` that
  is called for the markup, as \`adm\` is absent, is called in the auction.
- \`burl\` reports that the impression was billed, by \`GET\`, once. The impression counts in the exchange whether or not you answer.
- \`lurl\` reports that you lost, by \`POST\` without a body unless the demand source sets \`GET\`, with the reason in \`\${AUCTION_LOSS}\`.
- An answer below 400 counts as received, and redirects are not followed. After 5xx, 408, 429 or no answer in ${NOTICES.timeoutMs / 1000} s a billing notice is
  tried ${NOTICES.retries.billing.attempts} times in all, ${NOTICES.retries.billing.delayMs / 1000} s apart; the others ${NOTICES.retries.win.attempts} times, ${NOTICES.retries.win.delayMs / 1000} s apart.
- A URL has at most ${NOTICES.maxUrlLength.toLocaleString('en-US')} characters. Notices to one DSP go to ${NOTICES.maxHostsPerDsp} hosts at once, ${NOTICES.maxInFlightPerDsp} of them at a time.

## Creatives

Your markup is shown in a frame without the exchange's origin. Sizes must be among those that the imp takes, and VAST must be well-formed and without
VPAID and DOCTYPE. Its \`Duration\` must be within a second of what the imp takes, and one of its files of a type in \`mimes\`. A native ad has each asset that the
imp's request requires. With \`HTTPS_CREATIVES_ONLY\` on the exchange, the markup may load by https alone. [tags.md](tags.md) describes where ads are shown.

## Test bids

\`GET /api/sandbox/test-bid?scenario=…\` shows a request. \`POST /api/sandbox/test-bid\` with \`dsp_id\` sends it to a demand source of the sandbox and
returns what the auction would have made of the answer, with the reason. Such requests have \`test\` 1: do not bill them.

Live requests with \`test\` 1 come from publishers that try out their pages and players. Your bid competes, and its ad is shown; win and loss notices are
sent, and \`burl\` is not called: the impression is [not billed](money.md#test-mode), takes nothing from a budget or a frequency cap, and is in no report or feed.

## Reasons

Each bid that loses has one of these, in \`GET /api/auctions/reasons?dsp_id=…\`, in single auctions, and as its code in \`lurl\`. The code is
OpenRTB's loss reason; the status is that of the IAB's seat-non-bid.

${table(['reason', 'code', 'status', 'meaning'], losses)}

A demand source without a bid has one of these:

${table(['reason', 'status', 'meaning'], silences)}
`;
}

/** Fields that the page explains. */
export const EXPLAINED_FIELDS: readonly string[] = Object.keys(FIELDS);

function kib(bytes: number): string {
  return `${bytes / 1024} KiB`;
}

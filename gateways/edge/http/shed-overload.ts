import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { onceTurnIsWritten, writeAtTurnEnd, writeNow } from '#async/turn-end';
import type { Clock } from '#runtime/ports/clock';
import type { Random } from '#runtime/ports/random';
import { ApiError, errorCatalogue } from '../../errors.ts';
import { errorBody } from '../../http/answer-error.ts';
import { endWithText } from '../../http/end-with-text.ts';
import { requestIdOf } from '../../http/request-id.ts';

/**
 * ms of a turn of the event loop from which on, if the turn before was as long, further ad requests of this turn are
 * refused. One long turn alone is a pause of the collector or of the machine, after which all are answered in time.
 */
const LONG_TURN_MS = 30;
/** The same whatever the turn before. */
const TOO_LONG_TURN_MS = 80;
/**
 * ms since the turn before began, from which on further ad requests are refused: what is read now may have come as
 * early. Less than the time that an auction has, by what a pause may add.
 */
const LONGEST_WAIT_MS = 120;
/**
 * Requests that each turn serves however long it takes: a long turn of few requests is a pause, not their load. After a
 * turn of more that kept them waiting for too long, none.
 */
const LEAST_OF_A_TURN = 64;

const AUCTION_PATH = /^\/(?:rtb|vast|ad|cookie_sync|openrtb2\/(?:auction|amp))?(?:\?|$)/;
const OVERLOADED = new ApiError('SERVICE_UNAVAILABLE', 'This edge has more ad requests than it can answer in time.');
const { status: STATUS, retryAfterS: RETRY_AFTER_S } = errorCatalogue.SERVICE_UNAVAILABLE;
/** Of all refusals, around the id of the request, which needs no escape in JSON; all of it is ASCII. */
const [BODY_BEFORE_ID, BODY_AFTER_ID] = JSON.stringify(errorBody(OVERLOADED, '\n')).split('\\n') as [string, string];
const HEADERS = [
  'X-Content-Type-Options',
  'nosniff',
  'Retry-After',
  String(RETRY_AFTER_S),
  'Content-Type',
  'application/json; charset=utf-8',
  'Content-Length',
];

/**
 * Refuses ad requests with 503 while more of them arrive than this process can serve, which shows in how long a turn of
 * the event loop takes. So what is admitted is answered in time, however many come, and callers hear of the rest at
 * once. A refusal costs no parsing, no authentication and no auction.
 *
 * Calls of tracking URLs pass: they are money, and cost little. Requests of pages (with `Origin`) are marked, and
 * refused by {@link LoadShedder.check} where the headers for pages are set.
 */
export class LoadShedder {
  /** Requests of all kinds so far. */
  seen = 0;
  /** Ad requests refused so far. */
  shed = 0;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #tellRefused: ((request: IncomingMessage) => void) | undefined;
  readonly #refused = new WeakSet<IncomingMessage>();
  /** Monotonic ms at which the first request of this turn came; negative before it. */
  #turnStartedMs = -1;
  #servedInTurn = 0;
  #refusedInTurn = 0;
  /** Monotonic ms at which the latest long turn ended. */
  #longTurnEndedMs = Number.NEGATIVE_INFINITY;
  #isAfterLongTurn = false;
  /** Monotonic ms at which the turn before began and ended. */
  #beforeStartedMs = Number.NEGATIVE_INFINITY;
  #beforeEndedMs = Number.NEGATIVE_INFINITY;
  #servedBefore = 0;
  /** Monotonic ms at which what this turn reads may have come at the earliest. */
  #waitingSinceMs = 0;
  #servesTheLeast = true;
  readonly #endTurn = (): void => {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#turnStartedMs > LONG_TURN_MS) this.#longTurnEndedMs = nowMs;
    this.#beforeStartedMs = this.#turnStartedMs;
    this.#beforeEndedMs = nowMs;
    this.#servedBefore = this.#servedInTurn;
    this.#turnStartedMs = -1;
    this.#servedInTurn = 0;
    this.#refusedInTurn = 0;
  };

  /** `refused` is called for each request that is answered here. */
  constructor(clock: Clock, random: Random, refused?: (request: IncomingMessage) => void) {
    this.#clock = clock;
    this.#random = random;
    this.#tellRefused = refused;
  }

  /** Wraps the listener that serves what is not refused. */
  before(others: RequestListener): RequestListener {
    return (request, response) => {
      this.seen++;
      if (this.#isInTime() || !AUCTION_PATH.test(request.url ?? '') || request.method === 'OPTIONS') {
        this.#servedInTurn++;
        others(request, response);
        return;
      }
      this.shed++;
      // What was admitted before leaves now: many refusals may follow in this turn.
      if (this.#refusedInTurn++ === 0) writeNow();
      if (request.headers.origin === undefined) this.#refuse(request, response);
      else {
        this.#refused.add(request);
        others(request, response);
      }
    };
  }

  /** @throws ApiError SERVICE_UNAVAILABLE for a request that is refused */
  check(request: IncomingMessage): void {
    if (this.#refused.has(request)) throw OVERLOADED;
  }

  #isInTime(): boolean {
    if (this.#turnStartedMs < 0) this.#beginTurn();
    if (this.#servedInTurn < LEAST_OF_A_TURN && this.#servesTheLeast) return true;
    const nowMs = this.#clock.monotonic();
    const tookMs = nowMs - this.#turnStartedMs;
    return (
      tookMs <= (this.#isAfterLongTurn ? LONG_TURN_MS : TOO_LONG_TURN_MS) &&
      nowMs - this.#waitingSinceMs <= LONGEST_WAIT_MS
    );
  }

  #beginTurn(): void {
    const nowMs = this.#clock.monotonic();
    this.#turnStartedMs = nowMs;
    // A turn that ended a while ago kept nothing of this one waiting.
    this.#isAfterLongTurn = nowMs - this.#longTurnEndedMs <= LONG_TURN_MS;
    this.#waitingSinceMs = nowMs - this.#beforeEndedMs <= LONG_TURN_MS ? this.#beforeStartedMs : nowMs;
    this.#servesTheLeast = this.#servedBefore <= LEAST_OF_A_TURN || nowMs - this.#waitingSinceMs <= LONGEST_WAIT_MS;
    onceTurnIsWritten(this.#endTurn);
  }

  #refuse(request: IncomingMessage, response: ServerResponse): void {
    const requestId = requestIdOf(request, this.#random);
    const body = `${BODY_BEFORE_ID}${requestId}${BODY_AFTER_ID}`;
    response.writeHead(STATUS, ['X-Request-Id', requestId, ...HEADERS, String(body.length)]);
    writeAtTurnEnd(() => endWithText(response, body, 'latin1'));
    this.#tellRefused?.(request);
  }
}

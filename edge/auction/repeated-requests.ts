import type { AdRequest, AuctionContext, KeyHolder } from '../auction-context.ts';
import { refuseReplayed, type ScreeningDeps } from '../screening/screen-request.ts';
import { UnderWay } from '../under-way.ts';

/** A bid request as its caller sent it. */
export interface CallerRequest extends AdRequest {
  /** Connection of a call made by a page; it fills in what `device` leaves out. Null for a server's call. */
  readonly connection: { readonly address: string; readonly userAgent: string | undefined } | null;
  /** The decompressed body. */
  readonly body: Buffer;
}

interface Joined<Answer> {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** A request whose auction is under way. */
export interface RequestUnderWay<Answer> {
  readonly name: number;
  readonly context: AuctionContext;
  readonly sent: CallerRequest;
  /** Repeats that wait for the answer; null while there is none. */
  joined: Joined<Answer>[] | null;
}

/**
 * The bid requests whose auctions are under way at this edge, by name. A caller that sends the same request again,
 * because a connection broke or a proxy retries, joins the auction that is under way: one sale, one reservation, the
 * same answer for both. A repeat that comes later is a replay, which is refused. AuctionAdmission bounds the number of
 * entries.
 */
export class RepeatedRequests<Answer> {
  readonly #deps: ScreeningDeps;
  readonly #running = new UnderWay<RequestUnderWay<Answer>>();

  constructor(deps: ScreeningDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the answer of the auction under way when the same caller has sent the same request; it rejects as that
   * auction does. Otherwise the request is under way from here on, until {@link answered} or {@link failed}. Null where
   * repeats are allowed. Throws FORBIDDEN for a replay.
   */
  enter(context: AuctionContext, sent: CallerRequest): RequestUnderWay<Answer> | Promise<Answer> | null {
    const name = this.#deps.screening.replayKeyOf(context);
    if (name === null) return null;
    const running = this.#running.get(name);
    if (running !== undefined && isSame(running, context, sent)) return joinTo(running);
    refuseReplayed(this.#deps, context, name);
    const underWay = { name, context, sent, joined: null };
    this.#running.set(name, underWay);
    return underWay;
  }

  answered(underWay: RequestUnderWay<Answer>, answer: Answer): void {
    this.#end(underWay);
    if (underWay.joined !== null) for (const { resolve } of underWay.joined) resolve(answer);
  }

  /** Forgets the request, so that a caller without an answer may ask again: AUCTION_TIMEOUT is to be retried. */
  failed(underWay: RequestUnderWay<Answer>, error: unknown): void {
    this.#end(underWay);
    this.#deps.screening.forget(underWay.name);
    if (underWay.joined !== null) for (const { reject } of underWay.joined) reject(error);
  }

  #end({ name }: RequestUnderWay<Answer>): void {
    this.#running.delete(name);
  }
}

function joinTo<Answer>(running: RequestUnderWay<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    running.joined ??= [];
    running.joined.push({ resolve, reject });
  });
}

/**
 * Whether two requests with the same name are the same request. The name is a short hash and says nothing of the
 * viewer, so an equal name alone never yields an answer: the publisher, the key, the cookies, the privacy objection
 * (Global Privacy Control), the connection and the body (with its device, user and consent) must also be equal.
 */
function isSame<Answer>(
  { context, sent }: RequestUnderWay<Answer>,
  other: AuctionContext,
  otherSent: CallerRequest,
): boolean {
  return (
    context.publisher.id === other.publisher.id &&
    keyHolderId(sent.key) === keyHolderId(otherSent.key) &&
    sent.browser.cookies === otherSent.browser.cookies &&
    sent.browser.globalPrivacyControl === otherSent.browser.globalPrivacyControl &&
    sent.connection?.address === otherSent.connection?.address &&
    sent.connection?.userAgent === otherSent.connection?.userAgent &&
    sent.body.equals(otherSent.body)
  );
}

function keyHolderId(key: KeyHolder | null): string {
  if (key === null) return '';
  return key.kind === 'account' ? `account ${key.accountId}` : `publisher ${key.publisherId}`;
}

import type { AdRequest, AuctionContext, KeyHolder } from '../auction-context.ts';
import { refuseReplayed, type ScreeningDeps } from '../screening/screen-request.ts';

/** A bid request as its caller sent it. */
export interface CallerRequest extends AdRequest {
  /** Of a page's call: it fills what `device` leaves out. Null for a server's. */
  readonly connection: { readonly address: string; readonly userAgent: string | undefined } | null;
  /** Decompressed. */
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
  /** Repeats that wait for its answer; null while there is none. */
  joined: Joined<Answer>[] | null;
}

/**
 * The auctions of bid requests that are under way at this edge, by what names them. A caller that sends the same request again,
 * because a connection broke or a proxy tries again, joins the one that is under way: one sale, one reservation, the same answer for
 * both. Later it is a replay, which is refused. There are never more of them than the gate for auctions lets in.
 */
export class RepeatedRequests<Answer> {
  readonly #deps: ScreeningDeps;
  readonly #running = new Map<number, RequestUnderWay<Answer>>();

  constructor(deps: ScreeningDeps) {
    this.#deps = deps;
  }

  /**
   * The answer of the same request of the same caller when it is under way, which rejects as it does; else the request is under way
   * from here on, until {@link answered} or {@link failed}. Null where any may come again. Throws FORBIDDEN for a replay.
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

  /** Who got no answer may ask again: AUCTION_TIMEOUT is to be retried. */
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
 * A name is short for what it names, and says nothing of the viewer: an answer goes to nobody for its likeness alone, nor to who
 * shows another key or other cookies, objects where the first did not, or writes of another device, user or consent.
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

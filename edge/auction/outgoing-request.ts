import { randomUUID } from 'node:crypto';
import type { PublisherProjection } from '../../actors/publisher/fields.ts';
import { BidRequestWriter } from '../../exchange/openrtb/bid-request-writer.ts';
import type { Dialect } from '../../exchange/openrtb/dialect.ts';
import type { ExchangePolicy } from '../../exchange/openrtb/exchange-policy.ts';
import type { Seller } from '../../exchange/openrtb/seller.ts';
import { exchangeNode } from '../../exchange/openrtb/supply-chain.ts';
import type { Span } from '../../runtime/ports/tracer.ts';
import type { AuctionContext } from '../auction-context.ts';
import type { AuctionSettings } from '../settings.ts';
import type { OutgoingRequest } from './bidders.ts';
import { mergeBlockedCategories } from './blocked-categories.ts';

/**
 * Placeholder of a buyer's id while a body is written. It is random for each process, so that no request can contain
 * it.
 */
const BUYER_UID_MARK = randomUUID();
const MARKED_FIELD = `"buyeruid":"${BUYER_UID_MARK}"`;

/** How the exchange describes itself in requests. */
type ExchangeIdentity = Pick<AuctionSettings, 'exchangeDomain' | 'blockedCategories'>;

/** A serialized body, with the position at which a buyer's own id of the viewer is inserted. */
interface SerializedBody {
  readonly dialect: Dialect;
  readonly tmaxMs: number;
  readonly withoutUid: Buffer;
  readonly aroundUid: readonly [before: Buffer, after: Buffer] | null;
}

/**
 * Serializes the request for bidders, once for each dialect and time limit, of which there are few. A buyer that knows
 * the viewer gets the same bytes with its id inserted, and the exchange's own where the request has no `user.id`: no
 * other is told that.
 */
export class OutgoingBidRequest implements OutgoingRequest {
  readonly #context: AuctionContext;
  readonly #exchange: ExchangeIdentity;
  readonly #written: SerializedBody[] = [];
  /** Null until the first body is asked for. */
  #writer: BidRequestWriter | null = null;

  constructor(context: AuctionContext, exchange: ExchangeIdentity) {
    this.#context = context;
    this.#exchange = exchange;
  }

  get trace(): Span | null {
    return this.#context.trace ?? null;
  }

  body(dialect: Dialect, tmaxMs: number, dspId: string): Buffer {
    const { withoutUid, aroundUid } = this.#version(dialect, tmaxMs);
    const uid = aroundUid === null ? undefined : this.#context.viewer.buyerUids.get(dspId);
    if (aroundUid === null || uid === undefined) return withoutUid;
    const { request, viewer } = this.#context;
    const ownId = request.user?.id ? '' : `"id":${JSON.stringify(viewer.userId)},`;
    return Buffer.concat([aroundUid[0], Buffer.from(`${ownId}"buyeruid":${JSON.stringify(uid)}`), aroundUid[1]]);
  }

  #version(dialect: Dialect, tmaxMs: number): SerializedBody {
    for (const version of this.#written) {
      if (version.dialect === dialect && version.tmaxMs === tmaxMs) return version;
    }
    this.#writer ??= new BidRequestWriter(this.#context.request, this.#context.privacy.treatment);
    const text = this.#writer.write(dialect, this.#terms(tmaxMs));
    const { withoutUid, aroundUid } = splitAtPlaceholder(text);
    const version = { dialect, tmaxMs, withoutUid, aroundUid };
    this.#written.push(version);
    return version;
  }

  #terms(tmaxMs: number): Omit<ExchangePolicy, 'treatment'> {
    const { request, currencies, publisher, pool, privacy, viewer, sandbox, verified } = this.#context;
    return {
      tmaxMs,
      currencies: currencies?.accepted,
      blockedCategories: mergeBlockedCategories(publisher.blockedCategories, this.#exchange.blockedCategories),
      prohibits: true,
      blockedDomains: publisher.blockedDomains,
      contentGenre: publisher.contentGenre,
      floorCpmMicros: Math.max(publisher.floorCpmMicros, pool?.floorCpmMicros ?? 0),
      seller: sellerOf(publisher, sandbox ? null : verified),
      supplyChain: {
        node: exchangeNode(this.#exchange.exchangeDomain, publisher.id, request.id),
        // The owner of unverified inventory is unknown.
        begunComplete: publisher.sellerType === 'PUBLISHER' && (sandbox || verified) ? 1 : 0,
      },
      globalPrivacyControl: privacy.reasons.includes('gpc'),
      buyerUid: viewer.buyerUids.size === 0 ? undefined : BUYER_UID_MARK,
    };
  }
}

function splitAtPlaceholder(text: string): Pick<SerializedBody, 'withoutUid' | 'aroundUid'> {
  const at = text.indexOf(MARKED_FIELD);
  if (at === -1) return { withoutUid: Buffer.from(text), aroundUid: null };
  const before = text.slice(0, at);
  const after = text.slice(at + MARKED_FIELD.length);
  const withoutUid = before.endsWith(',') ? before.slice(0, -1) + after : before + after.replace(/^,/, '');
  return { withoutUid: Buffer.from(withoutUid), aroundUid: [Buffer.from(before), Buffer.from(after)] };
}

function sellerOf(
  { id, name, domain, type, sellerType, confidential }: PublisherProjection,
  verified: boolean | null,
): Seller {
  const kind = type === 'web' ? 'web' : 'app';
  return { id, name, domain, kind, owns: sellerType === 'PUBLISHER', confidential, verified };
}

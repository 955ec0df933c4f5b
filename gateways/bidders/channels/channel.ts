import type { SecureContext } from 'node:tls';
import type { ConnectionProblem } from '#actors/bidder-health/messages';
import type { AddressPolicy } from '../../http/guarded-connect.ts';

/** What an answer's body is coded with: `gzip`, nothing, or a coding that was not offered. */
export type ContentCoding = 'identity' | 'gzip' | 'unknown';

/** The coding of a body with one more `Content-Encoding` field (RFC 9110 §8.4), beside those read `before`. */
export function withCoding(before: ContentCoding, field: string): ContentCoding {
  const coding = field.trim().toLowerCase();
  if (coding === 'identity' || coding === '') return before;
  return before !== 'unknown' && (coding === 'gzip' || coding === 'x-gzip') ? 'gzip' : 'unknown';
}

/** How connections to bidders are opened and kept. */
export interface ConnectionOptions {
  readonly policy: AddressPolicy;
  readonly connectTimeoutMs: number;
  /** ms of disuse after which a connection is closed; the bidder's own `Keep-Alive` overrides it. */
  readonly keepAliveMs: number;
  /** Authorities and own certificate; absent: Node's defaults, and none. */
  readonly secureContext?: SecureContext;
}

/**
 * One request and its answer, as a channel reports it. No method throws. Ends with one of `complete`, `failed`,
 * `dropped`.
 */
export interface ChannelCall {
  /**
   * The channel is open and the request is about to be written. False: the call has been given up; nothing is written,
   * the channel stays open for the next call, and `dropped` follows.
   */
  sending(): boolean;
  /** The head of the final answer; once, before any of its body. */
  head(status: number, coding: ContentCoding): void;
  /**
   * A part of the body, `bytes` from `start` to `end`. They belong to the channel, which reads the next answer into the
   * same memory: unless `isLast`, what is kept must be copied; if `isLast`, `complete` follows at once and what is kept
   * after it must be copied. False: the rest is not wanted; the channel is closed and `failed` is not called.
   */
  body(bytes: Buffer, start: number, end: number, isLast: boolean): boolean;
  /** The answer is complete. */
  complete(): void;
  /** There will be no answer. `problem`: why there is no connection over TLS, where that is the cause. */
  failed(message: string, problem?: ConnectionProblem | null): void;
  dropped(): void;
}

/** A connection that takes one call at a time. */
export interface Channel {
  /**
   * Sends `body` as a bid request, at once or at the end of the turn, or once the channel, where it is not open, is
   * opened. `traceparent`: a header of this request. Never throws.
   */
  send(call: ChannelCall, body: Buffer, traceparent?: string): void;
  /**
   * Gives up a call whose request has been written: the connection is closed at once and the call gets no further
   * report.
   */
  abandon(): void;
}

/** The channels to one bidder. */
export interface ChannelPool {
  /** A channel for one call, which goes back by itself when the call has ended. `nowMs`: monotonic ms. */
  take(nowMs: number): Channel;
  /** Closes each channel when its call has ended. */
  close(): void;
  /** Closes all channels at once; calls under way fail. */
  destroy(): void;
}

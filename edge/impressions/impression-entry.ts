import { impressionRollup } from '../../actors/impression-rollup/impression-rollup.ts';
import type { Impression, InvalidImpression } from '../../actors/impression-rollup/messages.ts';
import type { InvalidReason } from '../../exchange/invalid-traffic/invalid-reason.ts';
import { encodeEnvelope } from '../../runtime/node/envelope.ts';
import type { IdempotencyKey, IdempotentEntry } from '../../runtime/ports/log.ts';
import type { SoldImpression } from '../tracking/sale.ts';

const HOUR_MS = 3_600_000;

/**
 * Characters at the end of the payload, which are `}]`, before which the body ends (see `encodeEnvelope`): a note
 * inserted there is one more field.
 */
export const NOTE_OFFSET_FROM_END = 2;

/**
 * The log partition of an impression. Every edge and every run must compute the same one, so that a repeat is
 * recognized.
 */
export function impressionPartition(trackingId: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < trackingId.length; index++) {
    hash = Math.imul(hash ^ trackingId.charCodeAt(index), 0x01000193);
  }
  return ((hash ^ (hash >>> 15)) >>> 0) % partitions;
}

/** The key by which the log remembers a billed impression. `issuedAtMs`: time of the sale. */
export function impressionIdempotencyKey(trackingId: string, issuedAtMs: number): IdempotencyKey {
  return { id: trackingId, bucketMs: Math.floor(issuedAtMs / HOUR_MS) * HOUR_MS };
}

/** The numbers of resets of both sources' sandboxes until now. */
export interface SandboxGenerations {
  readonly publisher: number;
  readonly dsp: number;
}

/** The publisher's settings that apply to an impression, at the moment of the impression. */
export interface PublisherPolicy {
  readonly accountId: string;
  /** The exchange's share, parts per million of gross. */
  readonly feePpm: number;
}

/**
 * The log entry of an impression: appended at most once within its window, for the rollup of its partition.
 * `generations` are those of a sandbox sale; null for a live one. `inFeed`: the DSP wants the impression in its feed.
 *
 * An `invalid` one is a provisional entry: the first valid call of its id still bills it, and the log then reports the
 * reason with which it had been counted as invalid. `trace`: the trace context of a traced call.
 */
export function impressionEntry(
  sale: SoldImpression,
  trackingId: string,
  { feePpm, accountId }: PublisherPolicy,
  partition: number,
  renderWindowMs: number,
  generations: SandboxGenerations | null,
  inFeed = true,
  invalid: InvalidReason | null = null,
  trace?: string,
): IdempotentEntry {
  const body: Impression = {
    id: trackingId,
    auction: sale.auctionId,
    publisher: sale.publisherId,
    dsp: sale.dspId,
    account: accountId,
    priceCpmMicros: sale.priceCpmMicros,
    soldAtMs: sale.issuedAtMs,
    feePpm,
    region: sale.region,
  };
  if (sale.partnerId !== null) body.partner = sale.partnerId;
  if (sale.campaignId !== null) body.campaign = sale.campaignId;
  if (sale.crid !== '') body.crid = sale.crid;
  if (!inFeed && invalid === null) body.unfed = true;
  if (trace !== undefined) body.trace = trace;
  if (generations !== null) {
    body.sandbox = true;
    if (generations.publisher > 0) body.publisherGeneration = generations.publisher;
    if (generations.dsp > 0) body.dspGeneration = generations.dsp;
  }
  const { id, bucketMs } = impressionIdempotencyKey(trackingId, sale.issuedAtMs);
  const expiresAtMs = sale.issuedAtMs + renderWindowMs;
  const to = `${impressionRollup.kind}/${partition}`;
  if (invalid === null) {
    const payload = encodeEnvelope({ to, type: 'impression', body });
    return { id, bucketMs, expiresAtMs, payload, noteBefore: NOTE_OFFSET_FROM_END };
  }
  const payload = encodeEnvelope({
    to,
    type: 'invalid',
    body: { ...body, reason: invalid } satisfies InvalidImpression,
  });
  return { id, bucketMs, expiresAtMs, payload, provisional: `,"revalidates":"${invalid}"` };
}

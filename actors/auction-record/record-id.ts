import { v7 } from 'uuid';

/**
 * The id of a record: a UUID of version 7 (RFC 9562 §5.7), so that records are in the order of their time by their ids alone.
 * `entropy` is 16 random bytes.
 */
export function newRecordId(atMs: number, entropy: Uint8Array): string {
  return v7({ msecs: atMs, random: entropy });
}

/** The lowest id that a record of this instant can have: records from it on are those not below. ms since the epoch, from 0. */
export function lowestRecordId(atMs: number): string {
  const hex = Math.max(0, Math.min(Math.floor(atMs), 0xffff_ffff_ffff))
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

import { v7 } from 'uuid';

/**
 * The id of a record: a UUID of version 7 (RFC 9562 §5.7), so that the ids of records sort by time. `entropy` is 16
 * random bytes.
 */
export function newRecordId(atMs: number, entropy: Uint8Array): string {
  return v7({ msecs: atMs, random: entropy });
}

/**
 * The lowest id of a record of this instant: each record from then on has an id that is not below it. ms since the
 * epoch, from 0.
 */
export function lowestRecordId(atMs: number): string {
  const hex = Math.max(0, Math.min(Math.floor(atMs), 0xffff_ffff_ffff))
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

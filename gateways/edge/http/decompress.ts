import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { ApiError } from '../../errors.ts';

const gunzipInPool = promisify(gunzip);
/** Up to this many bytes, decompressing takes less time than handing it to the thread pool. */
const INLINE_BYTES = 32 * 1024;

/** RFC 1952 §2.3.1. No JSON text begins with the first of these bytes. */
const GZIP_MAGIC = [0x1f, 0x8b] as const;

/**
 * A body without its Content-Encoding, at most `maxBytes`; a body without one is returned as it is, and at once. Pages
 * cannot name a coding without a preflight (CORS): they send plain gzip, `?gzip=1` or not (Prebid.js), so a gzip body
 * is also recognized by its first bytes. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE for another coding than gzip,
 * INVALID_PARAMS for a broken body.
 */
export function decompress(raw: Buffer, coding: string | undefined, maxBytes: number): Buffer | Promise<Buffer> {
  if (coding === undefined || coding === '' || coding === 'identity') {
    if (raw[0] !== GZIP_MAGIC[0] || raw[1] !== GZIP_MAGIC[1]) return raw;
  } else if (coding !== 'gzip' && coding !== 'x-gzip') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding must be gzip or identity.');
  }
  const bound = { maxOutputLength: maxBytes };
  if (raw.length > INLINE_BYTES) {
    return gunzipInPool(raw, bound).catch((error) => {
      throw refusal(error, maxBytes);
    });
  }
  try {
    return gunzipSync(raw, bound);
  } catch (error) {
    throw refusal(error, maxBytes);
  }
}

function refusal(error: unknown, maxBytes: number): ApiError {
  if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
    return new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`);
  }
  return new ApiError('INVALID_PARAMS', 'The body is not the gzip that it says it is.');
}

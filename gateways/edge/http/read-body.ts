import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { ApiError } from '../../errors.ts';

const gunzipInPool = promisify(gunzip);
/** Up to here decompressing takes less time than handing it to the thread pool. */
const INLINE_BYTES = 32 * 1024;

/**
 * The body of a request, decompressed, at most `maxBytes` before and after.
 * Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE for another coding than gzip, INVALID_PARAMS for one that is broken.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const coding = request.headers['content-encoding'];
  const raw = await collect(request, maxBytes);
  if (coding === undefined || coding === 'identity') return raw;
  if (coding !== 'gzip' && coding !== 'x-gzip') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding must be gzip or identity.');
  }
  try {
    const bound = { maxOutputLength: maxBytes };
    return raw.length <= INLINE_BYTES ? gunzipSync(raw, bound) : await gunzipInPool(raw, bound);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw new ApiError('INVALID_PARAMS', 'The body is not the gzip that Content-Encoding says it is.');
  }
}

function collect(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > maxBytes) {
      // The rest is read and thrown away, so that the caller gets to see the answer.
      request.resume();
      reject(tooLarge(maxBytes));
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      request.off('data', onData).resume();
      reject(tooLarge(maxBytes));
    };
    request.on('data', onData);
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    // Heard after a whole request too, where there is nothing to say.
    const cutShort = (): void => {
      if (!request.complete) reject(new ApiError('INVALID_PARAMS', 'The body was cut short.'));
    };
    request.once('close', cutShort);
    request.once('error', cutShort);
  });
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`);
}

import { pipeline } from 'node:stream';
import type { Context } from 'koa';
import parseRange from 'range-parser';
import type { Logger } from '#runtime/actor/logger';
import type { Clock } from '#runtime/ports/clock';
import {
  type ByteRange,
  type CreativeStorage,
  CreativeStorageUnavailable,
  SHA256_NAME,
  type StoredFile,
} from '../../creatives/storage/creative-storage.ts';
import { ApiError } from '../../errors.ts';
import { isNotModified } from '../../http/if-none-match.ts';
import { REQUEST_ID_HEADER } from '../http/answer.ts';

/** RFC 8246: the content of a URL never changes, as its name is a hash of it. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * Least time between two warnings of a missing creative, ms: callers that ask for invented names must not fill the log.
 */
const MISSING_TOLD_EVERY_MS = 60_000;

/**
 * `GET /creative/<sha256>`: serves a creative's file to any caller that knows its name. Ranges and conditions as in RFC
 * 9110 (several ranges are answered with the whole file, which §14.2 allows).
 */
export function serveCreative(storage: Pick<CreativeStorage, 'open'>, logger: Logger, clock: Clock) {
  let loggedMs = Number.NEGATIVE_INFINITY;
  const logMissing = (sha256: string) => {
    const nowMs = clock.monotonic();
    if (nowMs - loggedMs < MISSING_TOLD_EVERY_MS) return;
    loggedMs = nowMs;
    logger.warn(
      { sha256 },
      'a requested creative is not stored here: CREATIVES_DIR must be the same for all processes',
    );
  };
  return async (ctx: Context): Promise<void> => {
    const { sha256 } = (ctx as unknown as { params: { sha256: string } }).params;
    // Players and pages have other origins, and read what they load.
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Access-Control-Expose-Headers', 'Content-Length, Content-Range, Accept-Ranges');
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    const isName = SHA256_NAME.test(sha256);
    const file = isName ? await open(storage, sha256) : null;
    if (isName && file === null) logMissing(sha256);
    if (file === null) throw new ApiError('NOT_FOUND', 'There is no such creative.');
    ctx.set('Cache-Control', FOR_EVER);
    ctx.set('ETag', `"${sha256}"`);
    ctx.set('Accept-Ranges', 'bytes');
    // The file was made by a buyer: whatever type it has, nothing in it may run.
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    ctx.status = 200;
    if (isNotModified(ctx)) {
      ctx.status = 304;
      return;
    }
    ctx.type = file.mimeType;
    const range = rangeOf(ctx, file, sha256);
    if (range === 'unsatisfiable') {
      ctx.status = 416;
      ctx.set('Content-Range', `bytes */${file.bytes}`);
      ctx.set('Cache-Control', 'no-store');
      ctx.body = '';
      ctx.remove('ETag');
      ctx.remove('Content-Type');
      return;
    }
    if (range !== null) {
      ctx.status = 206;
      ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${file.bytes}`);
    }
    ctx.length = range === null ? file.bytes : range.end - range.start + 1;
    if (ctx.method === 'HEAD') return;
    await send(ctx, file, range, logger);
  };
}

/** Null: the whole file. A range of another file than this one is ignored (RFC 9110 §13.1.5). */
function rangeOf(ctx: Context, { bytes }: StoredFile, sha256: string): ByteRange | 'unsatisfiable' | null {
  const header = ctx.get('Range');
  const ifRange = ctx.get('If-Range');
  if (header === '' || (ifRange !== '' && ifRange !== `"${sha256}"`)) return null;
  const ranges = parseRange(bytes, header);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0] ?? null;
}

async function open(storage: Pick<CreativeStorage, 'open'>, sha256: string): Promise<StoredFile | null> {
  try {
    return await storage.open(sha256);
  } catch (error) {
    throw toApiError(error);
  }
}

/**
 * Resolves when all is sent or the receiver is gone. When the storage fails on the way, the connection is closed: the
 * rest is missing.
 */
async function send(ctx: Context, file: StoredFile, range: ByteRange | null, logger: Logger): Promise<void> {
  const bytes = await file.read(range ?? undefined).catch((error) => {
    throw toApiError(error);
  });
  ctx.set(REQUEST_ID_HEADER, ctx.state.requestId);
  ctx.respond = false;
  ctx.res.statusCode = ctx.status;
  await new Promise<void>((resolve) => {
    pipeline(bytes, ctx.res, (error) => {
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') logger.warn({ err: error }, 'a creative was cut short');
      resolve();
    });
  });
}

function toApiError(error: unknown): unknown {
  if (!(error instanceof CreativeStorageUnavailable)) return error;
  return new ApiError('SERVICE_UNAVAILABLE', 'Creatives cannot be read at the moment.');
}

import type { Context, Middleware } from 'koa';
import { ApiError } from '../../errors.ts';
import { assertWellFormed } from './well-formed.ts';

/**
 * Creates a reader of JSON bodies of at most `limitBytes` after decompression; an absent body is the empty object. It
 * throws INVALID_JSON for what is no JSON in UTF-8, VALIDATION_ERROR for JSON that is neither an object nor a list.
 */
export function bodyReader(limitBytes: number): (ctx: Context) => Promise<unknown> {
  // Loaded with the first body: it brings 700 KB of sources for forms and options that the API does not have.
  let parser: Promise<Middleware> | null = null;

  return async (ctx) => {
    if (!hasBody(ctx)) return {};
    if (!ctx.is('json', '+json')) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
    parser ??= jsonParser(limitBytes);
    const parse = await parser.catch((error: unknown) => {
      // The next body tries again.
      parser = null;
      throw error;
    });
    try {
      await parse(ctx, async () => {});
    } catch (error) {
      // The rest of the body is read and discarded: it precedes the next request on the connection, which may be a
      // proxy's and carry another caller's request.
      ctx.req.unpipe();
      ctx.req.resume();
      throw bodyError(error, limitBytes);
    }
    const body = parseJson(ctx.request.body as string);
    if (typeof body !== 'object' || body === null) {
      throw new ApiError('VALIDATION_ERROR', 'The body must be an object.');
    }
    assertWellFormed(body);
    return body;
  };
}

/** Bytes that are not UTF-8 are refused: a decoder that replaces them would have the replacements stored. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** `bytes`: the body, each byte as one character of this code. */
function parseJson(bytes: string): unknown {
  if (bytes === '') return {};
  try {
    return JSON.parse(utf8.decode(Buffer.from(bytes, 'latin1')));
  } catch {
    throw new ApiError('INVALID_JSON');
  }
}

async function jsonParser(limitBytes: number): Promise<Middleware> {
  const { HttpMethodEnum, koaBody } = await import('koa-body');
  return koaBody({
    json: false,
    urlencoded: false,
    text: true,
    // The list covers all media types that are admitted by the reader, also a merge patch.
    textTypes: ['json', '+json'],
    textLimit: limitBytes,
    // Bytes as they came: whether they are UTF-8 is decided by {@link parseJson}.
    encoding: 'binary',
    multipart: false,
    // A route that declares no body does not call the reader, whatever its method.
    parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.PATCH, HttpMethodEnum.DELETE],
    patchKoa: true,
    patchNode: false,
  });
}

function hasBody(ctx: Context): boolean {
  return ctx.req.headers['transfer-encoding'] !== undefined || (ctx.request.length ?? 0) > 0;
}

function bodyError(error: unknown, limitBytes: number): ApiError {
  const { status } = error as { status?: number };
  if (status === 413) return new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${limitBytes} bytes.`);
  if (status === 415) return new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The Content-Encoding is not supported.');
  return new ApiError('INVALID_JSON');
}

import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { ApiError } from '../../errors.ts';
import { assertWellFormed } from './well-formed.ts';

/** Reads a JSON body of at most `limitBytes` after decompression; no body at all is the empty object. */
export function bodyReader(limitBytes: number): (ctx: Context) => Promise<unknown> {
  const parse = koaBody({
    json: true,
    jsonStrict: true,
    // All that is let in below: a merge patch, too.
    jsonTypes: ['json', '+json'],
    jsonLimit: limitBytes,
    urlencoded: false,
    text: false,
    multipart: false,
    // A route that declares no body does not come here, whatever its method.
    parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.PATCH, HttpMethodEnum.DELETE],
    patchKoa: true,
    patchNode: false,
  });

  return async (ctx) => {
    if (!hasBody(ctx)) return {};
    if (!ctx.is('json', '+json')) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
    try {
      await parse(ctx, async () => {});
    } catch (error) {
      // The rest is read and thrown away: it stands before the next request on the connection, which may be a proxy's and
      // somebody else's.
      ctx.req.unpipe();
      ctx.req.resume();
      throw bodyError(error, limitBytes);
    }
    const body = ctx.request.body ?? {};
    assertWellFormed(body);
    return body;
  };
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

import type { Middleware } from 'koa';
import compress from 'koa-compress';

/** Below this many bytes compression costs more than it saves. */
const thresholdBytes = 1024;
const ENCODINGS = ['br', 'gzip', 'deflate', 'identity'];

/**
 * Compresses what handlers allow by `ctx.compress = true`, with what the caller takes; nothing else. An answer that holds a secret
 * beside something that a caller chose would tell the secret by its length (BREACH): so secrets, errors and answers to anything but
 * GET go as they are. Answers with a strong ETag do too: it names one sequence of bytes (RFC 9110 §8.8.3.3).
 */
export function compression(): Middleware {
  const compressing = compress({ threshold: thresholdBytes });
  return (ctx, next) => {
    ctx.compress = false;
    return compressing(ctx, async () => {
      await next();
      // A caller that takes nothing, not even an answer as it is, gets it as it is (RFC 9110 §12.5.3).
      if (ctx.acceptsEncodings(...ENCODINGS) === false) ctx.compress = false;
    });
  };
}

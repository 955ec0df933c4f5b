import type { Middleware } from 'koa';
import compress from 'koa-compress';

/** Below this many bytes compression costs more than it saves. */
const thresholdBytes = 1024;
const ENCODINGS = ['br', 'gzip', 'deflate', 'identity'];

/**
 * Compresses the answers for which a handler sets `ctx.compress = true`, in an encoding that the caller accepts. An
 * answer that holds a secret beside a value that a caller chose would reveal the secret by its length (BREACH):
 * secrets, errors and answers to any method but GET are therefore not compressed. Nor are answers with a strong ETag,
 * which names one sequence of bytes (RFC 9110 §8.8.3.3).
 */
export function compression(): Middleware {
  const compressing = compress({ threshold: thresholdBytes });
  return (ctx, next) => {
    ctx.compress = false;
    return compressing(ctx, async () => {
      await next();
      // A caller that accepts no encoding, not even identity, gets the uncompressed answer (RFC 9110 §12.5.3).
      if (ctx.acceptsEncodings(...ENCODINGS) === false) ctx.compress = false;
    });
  };
}

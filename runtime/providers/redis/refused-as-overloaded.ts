import { type LogUnavailable, Overloaded } from '../../ports/errors.ts';

/**
 * Errors after which nothing was run. Redis does not store a script that it refused either, so that calls of it beside
 * the first get NOSCRIPT.
 */
const REFUSED = /^(?:OOM|NOSCRIPT) /;

/**
 * Makes a write. When memory is short Redis refuses a script or command before its first write: nothing was appended
 * then, and the result rejects with `Overloaded`.
 */
export async function refusedAsOverloaded<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { cause } = error as LogUnavailable;
    if (cause instanceof Error && REFUSED.test(cause.message)) throw new Overloaded(cause.message, { cause });
    throw error;
  }
}

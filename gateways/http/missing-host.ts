import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';

/**
 * Servers take requests without `Host`, which Node.js would answer without a body, and refuse them with
 * {@link missingHost}.
 */
export const HOST_REFUSED_BY_HANDLER = { requireHostHeader: false } as const;

/** Whether an HTTP/1.1 request lacks the `Host` that it must have (RFC 9112 §3.2); older versions know none. */
export function lacksHost({ headers, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}

export function missingHost(): ApiError {
  return new ApiError('INVALID_PARAMS', 'The request has no Host header.');
}

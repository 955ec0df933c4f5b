import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, errorCatalogue } from '../../errors.ts';
import { errorBody } from '../../http/answer-error.ts';
import { rateLimitAddress } from '../../http/caller-address.ts';
import type { ManagementDeps } from '../deps.ts';
import { addressBuckets, rateHeaders, windowMs } from './limit-rate.ts';

/** The error of the HTTP parser about a request that it cannot read. */
interface ParserError extends Error {
  readonly code?: string;
}

/**
 * Answers input that is not HTTP, or a head that is too large, with an error of the catalogue, since such input never
 * reaches the middlewares. The connection ends with the answer, because the start of a next request is unknown.
 */
export function refuseMalformed(server: Server, deps: ManagementDeps): void {
  server.on('clientError', (error: ParserError, socket) => {
    answer(error, socket as Socket, deps).catch((failure: unknown) => {
      deps.logger.error({ err: failure }, 'a request that could not be read was not answered');
      socket.destroy();
    });
  });
}

async function answer(failure: ParserError, socket: Socket, deps: ManagementDeps): Promise<void> {
  const error = errorOf(failure);
  // The caller is gone, or already has part of an answer.
  if (error === null || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const { trustProxyHops, publicBaseUrl: publicUrl } = deps.settings;
  const counted = rateLimitAddress({ trustProxyHops, publicUrl })({
    address: socket.remoteAddress ?? '',
    forwardedFor: '',
  });
  const bucket = addressBuckets(counted, deps.settings)[0]!;
  const count = await deps.rates.consume(bucket.key, 1, windowMs);
  const requestId = deps.random.id();
  deps.logger.debug({ code: error.code, reason: error.message, requestId }, 'a request could not be read');
  const { status } = errorCatalogue[error.code];
  const body = JSON.stringify(errorBody(error, requestId));
  const headers = {
    'X-Request-Id': requestId,
    ...rateHeaders(bucket.limit, count),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

function errorOf({ code }: ParserError): ApiError | null {
  switch (code) {
    case 'ECONNRESET':
      return null;
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('INVALID_PARAMS', 'The headers are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('INVALID_PARAMS', 'The request did not arrive in time.');
    default:
      return new ApiError('INVALID_PARAMS', 'The request is no HTTP/1.1.');
  }
}

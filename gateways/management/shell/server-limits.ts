import type { ServerOptions } from 'node:http';

/** What one connection may take: slow or endless requests hold no more than this. */
export const serverLimits: ServerOptions = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than load balancers keep theirs (60 s as a rule): a connection is closed by whoever opened it, and no
  // request is sent into one that is being closed.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
};

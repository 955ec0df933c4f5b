import type { Context } from 'mocha';
import { skipWithReason } from './skipped-tests.ts';

/** The reason in the run's summary for skipped tests that need real servers. */
const NO_SERVERS = 'no Redis or MongoDB (REDIS_URL, MONGODB_URL; `eval "$(scripts/servers.sh start)"` starts both)';

/**
 * The URL of a real server that a test needs. Without one the test is reported as skipped, with the reason; with
 * REQUIRE_REAL_SERVERS=1 it fails instead.
 */
function requireServerUrl(name: 'REDIS_URL' | 'MONGODB_URL', test: Context): string {
  const url = process.env[name];
  if (url) return url;
  if (process.env.REQUIRE_REAL_SERVERS === '1') throw new Error(`${name} is not set, and real servers are required`);
  return skipWithReason(test, NO_SERVERS);
}

export function redisUrl(test: Context): string {
  return requireServerUrl('REDIS_URL', test);
}

export function mongodbUrl(test: Context): string {
  return requireServerUrl('MONGODB_URL', test);
}

/**
 * The URL of an S3 endpoint; its credentials are in the environment, where S3 clients look for them. It is never
 * required, because building the S3 server takes minutes without a cache: `WITH_S3=1 scripts/servers.sh start`.
 */
export function s3Url(test: Context): string {
  return process.env.S3_URL || skipWithReason(test, 'no S3 (S3_URL; `WITH_S3=1 scripts/servers.sh start` starts one)');
}

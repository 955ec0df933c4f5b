import { ApiError } from '#gateways/errors';
import { DestinationUnavailable } from '#gateways/log-level-data/destination/destination';
import { TooManyDownloads } from '#gateways/log-level-data/log-level-reader';
import type { Logger } from '#runtime/actor/logger';

/** Reads log-level data: SERVICE_UNAVAILABLE when their destination fails, or too many files are downloaded at once. */
export async function readable<T>(logger: Logger, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof TooManyDownloads)
      throw new ApiError('SERVICE_UNAVAILABLE', 'Too many files are being downloaded: try again in a moment.');
    if (!(error instanceof DestinationUnavailable)) throw error;
    logger.warn({ err: error }, 'log-level data cannot be read');
    throw new ApiError('SERVICE_UNAVAILABLE', 'Log-level data cannot be read at the moment.');
  }
}

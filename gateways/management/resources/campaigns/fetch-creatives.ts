import type { CreativeUrl } from '#exchange/creative/creative-urls';
import type { RejectedUrl } from '#gateways/creatives/creative-ingest';
import type { FilesOwner } from '#gateways/creatives/quota/file-quota';
import { CreativeStorageUnavailable } from '#gateways/creatives/storage/creative-storage';
import { ApiError, type ErrorCode, type FieldError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';

/** The largest number of errors that one answer lists. */
const MOST_ERRORS = 100;

/**
 * Fetches the files and ads that the creatives of a document name, before the document is saved.
 * @throws ApiError: `code` for what the specification forbids; BAD_GATEWAY for what could not be fetched. Its message
 *   names the first field, `errors` has them all. SERVICE_UNAVAILABLE when files cannot be stored
 */
export async function fetchCreatives(
  { creatives }: ManagementDeps,
  urls: readonly CreativeUrl[],
  owner: FilesOwner,
  code: ErrorCode,
): Promise<void> {
  const notTaken = await creatives.take(urls, owner).catch((error) => {
    if (!(error instanceof CreativeStorageUnavailable)) throw error;
    throw new ApiError('SERVICE_UNAVAILABLE', 'Creatives cannot be kept at the moment.');
  });
  const refused = notTaken.filter((one) => one.refused);
  if (refused.length > 0) throw creativesError(code, refused);
  if (notTaken.length > 0) throw creativesError('BAD_GATEWAY', notTaken);
}

function creativesError(code: ErrorCode, notTaken: readonly RejectedUrl[]): ApiError {
  const errors: FieldError[] = notTaken.slice(0, MOST_ERRORS).map(({ field, message }) => ({ field, message }));
  const [first] = errors;
  const more = notTaken.length === 1 ? '' : ` So do, or in other ways, ${notTaken.length - 1} more.`;
  return new ApiError(code, `${first?.field} ${first?.message}.${more}`, first?.field, { errors });
}

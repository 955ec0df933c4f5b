import { v5 } from 'uuid';

/**
 * The id of the asset of a URL: a UUID derived from the URL (RFC 9562 §5.5), so that a URL is fetched once for all its
 * users.
 */
export function assetId(url: string): string {
  return v5(url, v5.URL);
}

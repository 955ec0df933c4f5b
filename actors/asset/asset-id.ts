import { v5 } from 'uuid';

/** The id of the asset of a URL: a UUID that follows from it (RFC 9562 §5.5), so that a URL is fetched once for all who use it. */
export function assetId(url: string): string {
  return v5(url, v5.URL);
}

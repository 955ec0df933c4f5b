import type { Destination } from './destination.ts';
import { createFolderDestination } from './folder-destination.ts';

/** Where log-level data is written. */
export type DestinationLocation =
  | { readonly folder: string }
  | {
      readonly bucket: string;
      readonly prefix: string;
      readonly endpoint: string | null;
      readonly region: string;
    };

/** Opens a destination. The client of S3 is loaded for buckets alone. */
export async function openDestination(location: DestinationLocation): Promise<Destination> {
  if ('folder' in location) return createFolderDestination(location.folder);
  const { createS3Destination } = await import('./s3-destination.ts');
  return createS3Destination(location);
}

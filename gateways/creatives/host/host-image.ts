import { hostedPath } from '#exchange/creative/hosted-media';
import { CreativeRefused } from '../fetch/failures.ts';
import type { ScanLoad } from '../scan/scan-load.ts';

/** Images that are no larger count views, whatever they are called. */
const PIXEL = 2;

/**
 * Hosts an image of markup. Null for one that stays where it is: it could not be loaded, is a pixel, or its server
 * wants to see each view (see `isPlainFile`).
 */
export async function hostImage(load: ScanLoad, url: string): Promise<{ sha256: string; path: string } | null> {
  const file = await load.file(url, 'image');
  const { width = 0, height = 0 } = file?.facts?.image ?? {};
  if (file === null || !file.isPlainFile || (width <= PIXEL && height <= PIXEL)) return null;
  try {
    await load.host(url, 'image');
  } catch (error) {
    if (error instanceof CreativeRefused) return null;
    throw error;
  }
  const { sha256 } = file.staged;
  return { sha256, path: hostedPath(sha256) };
}

/**
 * The pixel URL in the markup of the bid that was answered with this `burl`: the same URL without the proof that the
 * call comes from a server.
 */
export function pixelOf(burl: string): string {
  const url = burl.replace(/&burl=[\w-]{22}$/, '');
  if (url === burl) throw new Error(`this is no burl: ${burl}`);
  return url;
}

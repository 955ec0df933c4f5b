/** The pixel in the markup of a bid that was answered with this `burl`: the same URL without the proof that a server was told it. */
export function pixelOf(burl: string): string {
  const url = burl.replace(/&burl=[\w-]{22}$/, '');
  if (url === burl) throw new Error(`this is no burl: ${burl}`);
  return url;
}

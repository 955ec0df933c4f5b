import { randomUUID } from 'node:crypto';
import { BROWSER_USER_AGENT } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';

/** A publisher that an edge is asked for ads of, over OpenRTB. */
export interface AskingPublisher {
  readonly id: string;
  readonly domain: string;
}

/** Asks the edge once for a banner of 300×250; `imp` is written over what the impression says by itself. */
export async function askForAd(
  edgeUrl: string,
  { id, domain }: AskingPublisher,
  imp: Readonly<Record<string, unknown>> = {},
): Promise<{ status: number; burl: string | null; pixel: string | null }> {
  const answer = await fetch(edgeUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      id: randomUUID(),
      imp: [{ id: '1', banner: { w: 300, h: 250 }, ...imp }],
      site: { domain, page: `https://${domain}/`, publisher: { id } },
      device: { ua: BROWSER_USER_AGENT, ip: '91.10.20.30', devicetype: 2, geo: { country: 'DEU' } },
      cur: ['USD'],
    }),
  });
  const text = await answer.text();
  const burl = /"burl":"([^"]+)"/.exec(text)?.[1] ?? null;
  const pixel = /src=\\"([^"\\]+\/track\/impression[^"\\]+)\\"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? null;
  return { status: answer.status, burl, pixel };
}

/**
 * Resolves once the edge knows the publisher, and demand that buys from it where `filled` is asked for; answers the
 * last ad.
 */
export function edgeKnows(edgeUrl: string, publisher: AskingPublisher, filled = true) {
  return eventually(`the edge to know ${publisher.domain}`, async () => {
    const answer = await askForAd(edgeUrl, publisher);
    return answer.status === (filled ? 200 : 204) ? answer : null;
  });
}

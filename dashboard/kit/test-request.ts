import { randomId } from './random-id.ts';

/** How a publisher asks for ads (specification, "Integration methods"). */
export const METHODS = ['js-tag', 'vast', 'prebid', 'openrtb'] as const;
export type Method = (typeof METHODS)[number];

export interface TestedPublisher {
  readonly id: string;
  readonly type: 'ctv' | 'mobile' | 'web';
  readonly domain: string;
}

/** What a trial came to, as the edge answered it. */
export interface TestAnswer {
  readonly status: number;
  /** From asking to the last byte, in ms. */
  readonly tookMs: number;
  readonly body: string;
  readonly filled: boolean;
  /** Why nothing came, where the edge says so. */
  readonly reason: string | null;
  /** The request's own id, which its auction has too; null for tags, which have none. */
  readonly auctionId: string | null;
  readonly request: { readonly method: 'GET' | 'POST'; readonly url: string; readonly body: unknown };
}

/** Asks the edge for an ad of this publisher, of the sandbox's demand alone: nothing is billed. */
export async function askForTestAd(edgeUrl: string, publisher: TestedPublisher, method: Method): Promise<TestAnswer> {
  const request = testRequest(edgeUrl, publisher, method);
  const started = performance.now();
  const response = await fetch(request.url, {
    method: request.method,
    credentials: 'omit',
    // `text/plain` is asked for without a question before.
    ...(request.body !== null && { headers: { 'Content-Type': 'text/plain' }, body: JSON.stringify(request.body) }),
  });
  const body = await response.text();
  // A tag that stays empty is answered 200 too, with a document that has no ad in it.
  const reason = response.headers.get('X-No-Fill-Reason');
  return {
    status: response.status,
    tookMs: performance.now() - started,
    body,
    filled: response.status === 200 && reason === null && isAd(body),
    reason,
    auctionId: (request.body as { id?: string } | null)?.id ?? null,
    request,
  };
}

export function testRequest(edgeUrl: string, publisher: TestedPublisher, method: Method): TestAnswer['request'] {
  const { id, type } = publisher;
  if (method === 'vast') {
    const url = `${edgeUrl}/vast?site_id=${id}&w=640&h=360&sandbox=true`;
    return { method: 'GET', url, body: null };
  }
  if (method === 'js-tag') {
    const url = `${edgeUrl}/ad?publisher_id=${id}&format=banner&w=300&h=250&sandbox=true`;
    return { method: 'GET', url, body: null };
  }
  const imp =
    type === 'ctv'
      ? {
          id: '1',
          video: { mimes: ['video/mp4'], minduration: 5, maxduration: 60, protocols: [2, 3, 5, 6], w: 1280, h: 720 },
        }
      : { id: '1', banner: { w: 300, h: 250 } };
  const inventory =
    type === 'web'
      ? { site: { domain: publisher.domain, page: `https://${publisher.domain}/`, publisher: { id } } }
      : { app: { bundle: publisher.domain, publisher: { id } } };
  const body = {
    id: `test-${randomId()}`,
    imp: [imp],
    ...inventory,
    device: deviceOf(type),
    at: 1,
    cur: ['USD'],
  };
  return { method: 'POST', url: `${edgeUrl}/rtb?sandbox=true`, body };
}

/** A device of the kind that the publisher has, at an address of a residential network in Germany. */
function deviceOf(type: TestedPublisher['type']) {
  const agents = {
    ctv: 'Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) Version/7.0 TV Safari/537.36',
    mobile:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    web: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  };
  const deviceType = { ctv: 3, mobile: 4, web: 2 } as const;
  return { ua: agents[type], ip: '91.10.20.30', devicetype: deviceType[type], geo: { country: 'DEU' } };
}

/** An OpenRTB answer with a bid, a VAST document with an ad, or markup. */
function isAd(body: string): boolean {
  if (body.trim() === '') return false;
  if (body.includes('<VAST')) return body.includes('<Ad');
  if (body.startsWith('{')) return /"seatbid":\[\{/.test(body) || /"assets":/.test(body);
  return true;
}

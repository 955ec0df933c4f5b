import { type Method, type TestedPublisher, testRequest } from '../../../kit/test-request.ts';

export interface ReadySnippet {
  readonly title: string;
  /** What to do with it. */
  readonly use: string;
  readonly text: string;
}

export const METHOD_NAMES: Readonly<Record<Method, string>> = {
  'js-tag': 'JS Tag',
  vast: 'VAST',
  prebid: 'Prebid',
  openrtb: 'OpenRTB',
};

/** What is pasted where, by integration method, with the publisher's own id and the exchange's own addresses in it. */
export function snippetOf(method: Method, edgeUrl: string, publisher: TestedPublisher): ReadySnippet {
  const { id } = publisher;
  switch (method) {
    case 'js-tag':
      return {
        title: 'Banner in a page',
        use: 'Paste it where the ad is to stand. Each place of a page has a <div> of its own; the script is wanted once.',
        text: `<script async src="${edgeUrl}/tag.js"></script>\n<div data-ad-publisher="${id}" data-ad-sizes="300x250,320x50"></div>`,
      };
    case 'vast':
      return {
        title: 'Address of a VAST document',
        use: 'Give it to your player as its ad tag. The player fires the impression, and that is what is billed.',
        text: `${edgeUrl}/vast?site_id=${id}&w=640&h=360`,
      };
    case 'prebid':
      return publisher.type === 'web' ? prebidUnit(edgeUrl, id) : prebidStoredRequest(edgeUrl, id);
    case 'openrtb': {
      const { body } = testRequest(edgeUrl, publisher, 'openrtb');
      const live = { ...(body as object), id: 'REQUEST_ID' };
      return {
        title: 'Call of the OpenRTB endpoint',
        use: 'OpenRTB 2.5 or 2.6, by POST. Call burl when the ad is rendered: that is the impression.',
        text: `curl ${edgeUrl}/rtb -H 'Content-Type: application/json' \\\n  -d '${memberByLine(live)}'`,
      };
    }
  }
}

function prebidUnit(edgeUrl: string, publisherId: string): ReadySnippet {
  const params = `{ host: '${new URL(edgeUrl).host}', publisherId: '${publisherId}' }`;
  return {
    title: 'Prebid.js: an ad unit',
    use: 'Put the exchange’s bid adapter (integrations/prebid-js) into your Prebid.js, and add the bid to your ad units.',
    text: `pbjs.addAdUnits([{\n  code: 'YOUR_SLOT',\n  mediaTypes: { banner: { sizes: [[300, 250]] } },\n  bids: [{ bidder: 'adexchange', params: ${params} }]\n}]);`,
  };
}

function prebidStoredRequest(edgeUrl: string, id: string): ReadySnippet {
  const request = {
    ...{ endpoint: `${edgeUrl}/rtb`, endpointCompression: 'gzip' },
    ...{ ortb2: { app: { publisher: { id } } }, cur: ['USD'] },
  };
  return {
    title: 'Prebid Server: stored request',
    use: 'A stock OpenRTB adapter takes this configuration. Bids have mtype and exp, which clients need.',
    text: JSON.stringify(request, null, 2),
  };
}

/** JSON of one line for each member: short enough to be seen whole, and to be read. */
function memberByLine(value: object): string {
  const lines = Object.entries(value).map(([name, member]) => `  ${JSON.stringify(name)}: ${JSON.stringify(member)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

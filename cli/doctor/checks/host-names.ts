import { lookup } from 'node:dns/promises';
import { isLocalName } from '#gateways/http/local-name';
import type { Settings } from '#settings';
import type { Check } from '../check.ts';
import { type Finding, fail, ok, warn } from '../finding.ts';

const ASK_MS = 5_000;

interface PublicUrl {
  readonly name: string;
  readonly url: string;
  /** What an exchange answers there. */
  readonly path: string;
  readonly isOurs: (response: Response) => Promise<boolean>;
}

/** Whether the host names of the public URLs resolve, and an exchange answers there. */
export const hostNames: Check = {
  name: 'host names',
  async find(settings) {
    const stated = publicUrls(settings).filter(({ name }) => settings.given.has(name));
    if (stated.length === 0)
      return [ok(`not given: URLs begin with ${settings.publicBaseUrl} and ${settings.publicEdgeUrl}`)];
    return Promise.all(stated.map(look));
  },
};

function publicUrls({ publicBaseUrl, publicEdgeUrl, publicCreativesUrl, regionUrls }: Settings): PublicUrl[] {
  const servesTag = async (response: Response) => response.ok && (await response.text()).includes('data-ad-publisher');
  // Creatives have their own paths alone; whatever is an edge says so in the form of its errors.
  const answersErrors = async (response: Response) =>
    typeof ((await response.json()) as { error?: { code?: unknown } }).error?.code === 'string';
  return [
    {
      name: 'PUBLIC_BASE_URL',
      url: publicBaseUrl,
      path: '/api/health',
      isOurs: async (response) => typeof ((await response.json()) as { region?: unknown }).region === 'string',
    },
    { name: 'PUBLIC_EDGE_URL', url: publicEdgeUrl, path: '/tag.js', isOurs: servesTag },
    {
      name: 'PUBLIC_CREATIVES_URL',
      url: publicCreativesUrl,
      path: `/creative/${'0'.repeat(64)}`,
      isOurs: answersErrors,
    },
    ...regionUrls.map(({ url }) => ({ name: 'REGION_URLS', url, path: '/tag.js', isOurs: servesTag })),
  ];
}

async function look({ name, url, path, isOurs }: PublicUrl): Promise<Finding> {
  const { hostname } = new URL(url);
  const which = `${name} (${url})`;
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch((error: Error) => error);
  if (addresses instanceof Error) {
    const means = 'nobody who is given such a URL reaches the exchange';
    return fail(
      `${hostname} of ${name} does not resolve`,
      means,
      `add it to the DNS, or set ${name} to a name that is`,
    );
  }
  const to = addresses.map(({ address }) => address).join(', ');
  try {
    const response = await fetch(new URL(path, url), { signal: AbortSignal.timeout(ASK_MS), redirect: 'manual' });
    if (await isOurs(response).catch(() => false)) return ok(`${which} leads to ${to}, where an exchange answers`);
    const means = 'browsers, bidders and players that are given such a URL reach something else';
    return fail(
      `${which} leads to ${to}, where no exchange answers: ${response.status}`,
      means,
      'mend the proxy or the DNS',
    );
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    const found = `${which} leads to ${to}, where nothing answers: ${cause?.code ?? message}`;
    const todo = isLocalName(hostname) ? 'start the exchange' : 'start the exchange, and open the port in firewalls';
    return warn(found, 'until something does, no ad is served and no impression counted', todo);
  }
}

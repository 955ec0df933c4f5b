import { namesThisMachine } from '../gateways/http/local-name.ts';
import type { Settings } from '../settings.ts';

type Judged = Pick<
  Settings,
  'publicBaseUrl' | 'publicEdgeUrl' | 'publicCreativesUrl' | 'regionUrls' | 'mongodbUrl' | 'allowPrivateNetworks'
>;

/** The unsafe settings that are allowed nevertheless: a sentence each, with the setting that changes it. */
export function startWarnings(settings: Judged): readonly string[] {
  return [...sharedHosts(settings), ...reachablePrivateNetworks(settings)];
}

/** Cookies ignore ports (RFC 6265 §8.5): the session of the API is sent to each other service on its host. */
function sharedHosts({ publicBaseUrl, publicEdgeUrl, publicCreativesUrl, regionUrls, mongodbUrl }: Judged): string[] {
  const base = new URL(publicBaseUrl);
  const edges = [publicEdgeUrl, ...regionUrls.map(({ url }) => url)].map((url) => new URL(url));
  const creatives = new URL(publicCreativesUrl);
  const warnings: string[] = [];
  if ([...edges, creatives].some(({ origin }) => origin === base.origin)) {
    warnings.push(
      `Browsers cannot log in at ${base.origin}, because ads are served there: set PUBLIC_EDGE_URL and PUBLIC_CREATIVES_URL to another origin than PUBLIC_BASE_URL.`,
    );
  }
  if (mongodbUrl === null) return warnings;
  if (edges.some(({ hostname }) => hostname === base.hostname)) {
    warnings.push(
      `Ads share the host name ${base.hostname} and its cookies with the management API: set PUBLIC_EDGE_URL to a host name of its own.`,
    );
  }
  if ([base, ...edges].some(({ hostname }) => hostname === creatives.hostname)) {
    warnings.push(
      `Creatives share the host name ${creatives.hostname} and its cookies: set PUBLIC_CREATIVES_URL to a host name of its own that leads to the edges.`,
    );
  }
  return warnings;
}

function reachablePrivateNetworks({
  publicBaseUrl,
  publicEdgeUrl,
  publicCreativesUrl,
  regionUrls,
  allowPrivateNetworks,
}: Judged): string[] {
  if (!allowPrivateNetworks) return [];
  const urls = [publicBaseUrl, publicEdgeUrl, publicCreativesUrl, ...regionUrls.map(({ url }) => url)];
  const exposed = urls.find((url) => !namesThisMachine(url));
  if (exposed === undefined) return [];
  return [
    `URLs that accounts set may lead into the private network of an exchange that is public (${exposed}): set ALLOW_PRIVATE_NETWORKS=false.`,
  ];
}

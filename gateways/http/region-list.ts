import type { Region, RegionAddress } from '../../exchange/region.ts';

/** The path at every edge that a round trip is measured with: 204, nothing read and nothing counted. */
export const PING_PATH = '/ping';

/** The answer of `GET /api/regions`, of the API and of edges alike. */
export interface RegionList {
  /** The region of the process that answers. */
  readonly region: string;
  readonly regions: readonly { readonly code: Region; readonly url: string; readonly ping_url: string }[];
}

export function regionList(region: string, addresses: readonly RegionAddress[]): RegionList {
  return { region, regions: addresses.map(({ code, url }) => ({ code, url, ping_url: `${url}${PING_PATH}` })) };
}

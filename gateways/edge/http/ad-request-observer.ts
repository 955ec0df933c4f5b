/**
 * The endpoints that hold auctions. `rtb` is `POST /rtb` and `POST /`; `prebid` and `amp` are those of Prebid Server.
 */
export const AD_ENDPOINTS = ['rtb', 'vast', 'ad', 'prebid', 'amp'] as const;
export type AdEndpoint = (typeof AD_ENDPOINTS)[number];

/** Is told of every ad request that was answered. It must be quick: it is called for each. */
export interface AdRequestObserver {
  /** `ms`: from the head of the request to its answer; null for a request that was shed unread. */
  answered(endpoint: AdEndpoint, status: number, ms: number | null): void;
}

/** The endpoint of a path without its query; null for a path that holds no auction. */
export function adEndpointOf(path: string): AdEndpoint | null {
  switch (path) {
    case '/':
    case '/rtb':
      return 'rtb';
    case '/vast':
      return 'vast';
    case '/ad':
      return 'ad';
    case '/openrtb2/auction':
      return 'prebid';
    case '/openrtb2/amp':
      return 'amp';
    default:
      return null;
  }
}

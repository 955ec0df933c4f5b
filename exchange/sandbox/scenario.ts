import type { BidRequest } from '../openrtb/bid-request.ts';

/** What a scenario does not make up itself. */
export interface ScenarioInputs {
  /** Another UUID each time: requests, users and devices are all new. */
  readonly newId: () => string;
  /** Whose inventory it is. */
  readonly publisherId: string;
  /** The bundle or domain that it is registered with: a request that names another is blocked, in the sandbox too. */
  readonly domain: string;
}

export interface Scenario {
  /** Of the inventory that it is about. */
  readonly publisherType: 'ctv' | 'mobile' | 'web';
  /** One line for whoever chooses. */
  readonly summary: string;
  /** An OpenRTB 2.5 bid request with one imp. */
  readonly request: (casting: ScenarioInputs) => BidRequest;
}

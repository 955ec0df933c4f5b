import type { BidRequest } from '../openrtb/bid-request.ts';

/** The inputs of a scenario that its caller provides. */
export interface ScenarioInputs {
  /** Returns a new UUID at each call: requests, users and devices are all new. */
  readonly newId: () => string;
  /** The publisher that the inventory belongs to. */
  readonly publisherId: string;
  /**
   * The bundle or domain that the publisher is registered with: a request that names another is blocked, in the sandbox
   * too.
   */
  readonly domain: string;
}

export interface Scenario {
  /** The kind of publisher that the scenario's inventory fits. */
  readonly publisherType: 'ctv' | 'mobile' | 'web';
  /** One line that helps to choose a scenario. */
  readonly summary: string;
  /** An OpenRTB 2.5 bid request with one imp. */
  readonly request: (inputs: ScenarioInputs) => BidRequest;
}

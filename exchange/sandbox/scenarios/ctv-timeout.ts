import type { Scenario, ScenarioInputs } from '../scenario.ts';
import { ctvUaeDrama } from './ctv-uae-drama.ts';

/**
 * The television of `ctv-uae-drama`, with a player that is about to start: it shows what a bidder does with hardly any
 * time.
 */
export const ctvTimeout: Scenario = {
  publisherType: 'ctv',
  summary: 'The drama again, from a player that waits 30 ms in all, of which the bidder has 20',
  request: (inputs: ScenarioInputs) => ({ ...ctvUaeDrama.request(inputs), tmax: 30 }),
};

import { isObject } from '../../openrtb/shape.ts';
import { Campaign } from '../document/campaign.ts';
import { campaignFaults } from './campaign.ts';
import type { StrategyFault, ValidationContext } from './fault.ts';
import { schemaFaults } from './schema-faults.ts';

const byShape = schemaFaults(Campaign);

/** Everything that is wrong with a campaign of the Campaign API, which has no strategy to say its price. */
export function campaignDocumentFaults(document: unknown, terms: ValidationContext): StrategyFault[] {
  if (!isObject(document)) return byShape(document);
  const { bidding } = document;
  const price = isObject(bidding) ? bidding.base_cpm : undefined;
  const isPriced = price !== undefined || (bidding !== undefined && !isObject(bidding));
  return [
    ...byShape(document),
    ...(isPriced ? [] : [{ path: 'bidding.base_cpm', message: 'is required' }]),
    ...campaignFaults(document, '', terms),
  ];
}

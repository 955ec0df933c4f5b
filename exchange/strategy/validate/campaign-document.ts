import { isObject } from '../../openrtb/shape.ts';
import { Campaign } from '../document/campaign.ts';
import { campaignFaults } from './campaign.ts';
import type { StrategyFault, ValidationContext } from './fault.ts';
import { schemaFaults } from './schema-faults.ts';

const byShape = schemaFaults(Campaign);

/** All faults of a campaign of the Campaign API, where no strategy provides a default bid. */
export function campaignDocumentFaults(document: unknown, options: ValidationContext): StrategyFault[] {
  if (!isObject(document)) return byShape(document);
  const { bidding } = document;
  const price = isObject(bidding) ? bidding.base_cpm : undefined;
  const isPriced = price !== undefined || (bidding !== undefined && !isObject(bidding));
  return [
    ...byShape(document),
    ...(isPriced ? [] : [{ path: 'bidding.base_cpm', message: 'is required' }]),
    ...campaignFaults(document, '', options),
  ];
}

import { makeDemandSourceKey, readDemandSourceKey } from './demand.ts';
import { makeSupplySourceKey, readSupplySourceKey } from './supply.ts';

export const sourceKeyRoutes = [makeSupplySourceKey, readSupplySourceKey, makeDemandSourceKey, readDemandSourceKey];

import { makeDemandSourceKey, readDemandSourceKey } from './demand.ts';
import { makeOwnDemandKey, makeOwnSupplyKey, readOwnDemandKey, readOwnSupplyKey } from './own.ts';
import { makeSupplySourceKey, readSupplySourceKey } from './supply.ts';

export const sourceKeyRoutes = [
  makeSupplySourceKey,
  readSupplySourceKey,
  makeDemandSourceKey,
  readDemandSourceKey,
  makeOwnSupplyKey,
  readOwnSupplyKey,
  makeOwnDemandKey,
  readOwnDemandKey,
];

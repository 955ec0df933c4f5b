import { listDemandSourceUsers, removeDemandSourceUser } from './demand.ts';
import { listSupplySourceUsers, removeSupplySourceUser } from './supply.ts';

export const sourceUserRoutes = [
  listSupplySourceUsers,
  removeSupplySourceUser,
  listDemandSourceUsers,
  removeDemandSourceUser,
];

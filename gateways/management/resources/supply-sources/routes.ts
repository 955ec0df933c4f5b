import { archiveSupplySource } from './archive.ts';
import { supplySourceBlocked } from './blocked.ts';
import { createSupplySource } from './create.ts';
import { supplySourceFunnel } from './funnel.ts';
import { listSupplySources } from './list.ts';
import { readSupplySource } from './read.ts';
import { readVerification } from './read-verification.ts';
import { supplySourceStats } from './stats.ts';
import { updateSupplySource } from './update.ts';
import { verifySupplySource } from './verify.ts';

export const supplySourceRoutes = [
  listSupplySources,
  createSupplySource,
  readSupplySource,
  updateSupplySource,
  archiveSupplySource,
  supplySourceStats,
  supplySourceFunnel,
  supplySourceBlocked,
  readVerification,
  verifySupplySource,
];

import { archiveDemandSource } from './archive.ts';
import { createDemandSource } from './create.ts';
import { demandSourceFunnel } from './funnel.ts';
import { demandSourceHealth } from './health.ts';
import { listDemandSources } from './list.ts';
import { readDemandSource } from './read.ts';
import { resetDemandSource } from './reset.ts';
import { demandSourceStats } from './stats.ts';
import { updateDemandSource } from './update.ts';

export const demandSourceRoutes = [
  listDemandSources,
  createDemandSource,
  readDemandSource,
  updateDemandSource,
  archiveDemandSource,
  demandSourceStats,
  demandSourceFunnel,
  demandSourceHealth,
  resetDemandSource,
];

import { createCampaign } from './create.ts';
import { listCampaigns } from './list.ts';
import { pauseCampaign, reactivateCampaign } from './pause.ts';
import { campaignPerformance } from './performance.ts';
import { previewCreative } from './preview/route.ts';
import { readCampaign } from './read.ts';
import { updateCampaign } from './update.ts';

export const campaignRoutes = [
  listCampaigns,
  createCampaign,
  readCampaign,
  updateCampaign,
  pauseCampaign,
  reactivateCampaign,
  campaignPerformance,
  previewCreative,
];

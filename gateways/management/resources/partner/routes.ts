import { partnerDsps } from './dsps.ts';
import { partnerPublishers } from './publishers.ts';
import { partnerReport } from './report.ts';
import { partnerStats } from './stats.ts';

export const partnerEndpoints = [partnerPublishers, partnerDsps, partnerStats, partnerReport];

import { listPartnerDsps } from './dsps.ts';
import { listPartnerPublishers } from './publishers.ts';
import { partnerReport } from './report.ts';
import { partnerStats } from './stats.ts';

export const partnerReportRoutes = [listPartnerPublishers, listPartnerDsps, partnerStats, partnerReport];

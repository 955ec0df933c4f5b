import { platformBlocked } from './blocked.ts';
import { dspMetrics } from './dsp.ts';
import { platformInvalid } from './invalid.ts';
import { partnerMetrics } from './partner.ts';
import { platformMetrics } from './platform.ts';
import { publisherMetrics } from './publisher.ts';

export const metricsRoutes = [
  platformMetrics,
  partnerMetrics,
  publisherMetrics,
  dspMetrics,
  platformBlocked,
  platformInvalid,
];

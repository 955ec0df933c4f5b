import { dspMetrics } from './dsp.ts';
import { platformMetrics } from './platform.ts';
import { publisherMetrics } from './publisher.ts';

export const metricsRoutes = [platformMetrics, publisherMetrics, dspMetrics];

import { demandSourceBilling, supplySourceBilling } from './billing-for-account.ts';
import { dspBilling } from './dsp-billing.ts';
import { dspFunnel } from './dsp-funnel.ts';
import { dspReport } from './dsp-report.ts';
import { publisherBilling } from './publisher-billing.ts';
import { publisherBlocked } from './publisher-blocked.ts';
import { publisherFunnel } from './publisher-funnel.ts';
import { publisherReport } from './publisher-report.ts';

export const sourceReportRoutes = [
  publisherReport,
  publisherBilling,
  publisherFunnel,
  publisherBlocked,
  dspReport,
  dspBilling,
  dspFunnel,
  supplySourceBilling,
  demandSourceBilling,
];

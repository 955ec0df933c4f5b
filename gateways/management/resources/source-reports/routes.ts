import { demandSourceBilling, supplySourceBilling } from './billing-for-account.ts';
import { dspBilling } from './dsp-billing.ts';
import { dspReport } from './dsp-report.ts';
import { publisherBilling } from './publisher-billing.ts';
import { publisherReport } from './publisher-report.ts';

export const sourceReportRoutes = [
  publisherReport,
  publisherBilling,
  dspReport,
  dspBilling,
  supplySourceBilling,
  demandSourceBilling,
];

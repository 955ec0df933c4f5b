import { demandSourceBilling, supplySourceBilling } from './billing-for-account.ts';
import { dspAuctionReasons, dspAuctions } from './dsp-auctions.ts';
import { dspBilling } from './dsp-billing.ts';
import { dspFunnel } from './dsp-funnel.ts';
import { dspReport } from './dsp-report.ts';
import { publisherAuctionReasons, publisherAuctions } from './publisher-auctions.ts';
import { publisherBilling } from './publisher-billing.ts';
import { publisherBlocked } from './publisher-blocked.ts';
import { publisherFunnel } from './publisher-funnel.ts';
import { publisherReport } from './publisher-report.ts';

export const sourceReportRoutes = [
  publisherReport,
  publisherBilling,
  publisherFunnel,
  publisherBlocked,
  publisherAuctions,
  publisherAuctionReasons,
  dspReport,
  dspBilling,
  dspFunnel,
  dspAuctions,
  dspAuctionReasons,
  supplySourceBilling,
  demandSourceBilling,
];

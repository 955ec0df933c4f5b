import { demandSourceBilling, supplySourceBilling } from './billing-for-account.ts';
import { dspAuction } from './dsp-auction.ts';
import { dspAuctionReasons, dspAuctions } from './dsp-auctions.ts';
import { dspBilling } from './dsp-billing.ts';
import { dspFunnel } from './dsp-funnel.ts';
import { dspProfile } from './dsp-profile.ts';
import { dspReport } from './dsp-report.ts';
import { dspOwnMetrics, publisherOwnMetrics } from './own-metrics.ts';
import { dspStatements, publisherStatements } from './own-statements.ts';
import { dspStrategy } from './own-strategy.ts';
import { publisherAuction } from './publisher-auction.ts';
import { publisherAuctionReasons, publisherAuctions } from './publisher-auctions.ts';
import { publisherBilling } from './publisher-billing.ts';
import { publisherBlocked } from './publisher-blocked.ts';
import { publisherFunnel } from './publisher-funnel.ts';
import { publisherProfile } from './publisher-profile.ts';
import { publisherReport } from './publisher-report.ts';

export const sourceReportRoutes = [
  publisherReport,
  publisherBilling,
  publisherFunnel,
  publisherBlocked,
  publisherAuctions,
  publisherAuction,
  publisherAuctionReasons,
  publisherProfile,
  publisherOwnMetrics,
  publisherStatements,
  dspReport,
  dspBilling,
  dspFunnel,
  dspAuctions,
  dspAuction,
  dspAuctionReasons,
  dspProfile,
  dspOwnMetrics,
  dspStatements,
  dspStrategy,
  supplySourceBilling,
  demandSourceBilling,
];

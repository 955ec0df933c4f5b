import { openApiRoute } from './openapi/openapi-route.ts';
import { accountRoutes } from './resources/accounts/routes.ts';
import { adjustmentRoutes } from './resources/adjustments/routes.ts';
import { auctionRoutes } from './resources/auctions/routes.ts';
import { auditTrailRoutes } from './resources/audit-trail/routes.ts';
import { authRoutes } from './resources/auth/routes.ts';
import { budgetRoutes } from './resources/budget/routes.ts';
import { campaignRoutes } from './resources/campaigns/routes.ts';
import { creativeRoutes } from './resources/creatives/routes.ts';
import { currencyRateRoutes } from './resources/currency-rates/routes.ts';
import { deadLetterRoutes } from './resources/dead-letters/routes.ts';
import { demandSourceRoutes } from './resources/demand-sources/routes.ts';
import { exchangeRoutes } from './resources/exchange/routes.ts';
import { feedRoutes } from './resources/feed/routes.ts';
import { feeRoutes } from './resources/fees/routes.ts';
import { health } from './resources/health.ts';
import { invitationRoutes } from './resources/invitations/routes.ts';
import { jobRoutes } from './resources/jobs/routes.ts';
import { keyRoutes } from './resources/keys/routes.ts';
import { logLevelDataRoutes } from './resources/log-level-data/routes.ts';
import { metricsRoutes } from './resources/metrics/routes.ts';
import { overviewRoutes } from './resources/overview/routes.ts';
import { ownAccountRoutes } from './resources/own-account/routes.ts';
import { partnerReportRoutes } from './resources/partner-reports/routes.ts';
import { partnerRoutes } from './resources/partners/routes.ts';
import { poolRoutes } from './resources/pools/routes.ts';
import { sandboxRoutes } from './resources/sandbox/routes.ts';
import { scoutRoutes } from './resources/scout/routes.ts';
import { sellers } from './resources/sellers.ts';
import { sourceKeyRoutes } from './resources/source-keys/routes.ts';
import { sourceReportRoutes } from './resources/source-reports/routes.ts';
import { sourceUserRoutes } from './resources/source-users/routes.ts';
import { statementRoutes } from './resources/statements/routes.ts';
import { storedRequestRoutes } from './resources/stored-requests/routes.ts';
import { strategyRoutes } from './resources/strategy/routes.ts';
import { subscriptionRoutes } from './resources/subscriptions/routes.ts';
import { supplySourceRoutes } from './resources/supply-sources/routes.ts';
import { userRoutes } from './resources/users/routes.ts';
import { webhookRoutes } from './resources/webhooks/routes.ts';
import type { AnyRoute } from './routing/route.ts';
import { withPatches } from './routing/with-patches.ts';

/** All routes of the API. The server serves them and the OpenAPI document describes them. */
export const routes: readonly AnyRoute[] = withPatches([
  health,
  openApiRoute(() => routes),
  sellers,
  ...exchangeRoutes,
  ...currencyRateRoutes,
  ...authRoutes,
  ...keyRoutes,
  ...sourceKeyRoutes,
  ...sourceUserRoutes,
  ...userRoutes,
  ...invitationRoutes,
  ...supplySourceRoutes,
  ...storedRequestRoutes,
  ...poolRoutes,
  ...demandSourceRoutes,
  ...strategyRoutes,
  ...campaignRoutes,
  ...creativeRoutes,
  ...subscriptionRoutes,
  ...budgetRoutes,
  ...feedRoutes,
  ...metricsRoutes,
  ...overviewRoutes,
  ...scoutRoutes,
  ...auctionRoutes,
  ...partnerRoutes,
  ...partnerReportRoutes,
  ...sourceReportRoutes,
  ...logLevelDataRoutes,
  ...statementRoutes,
  ...adjustmentRoutes,
  ...ownAccountRoutes,
  ...feeRoutes,
  ...accountRoutes,
  ...jobRoutes,
  ...deadLetterRoutes,
  ...auditTrailRoutes,
  ...sandboxRoutes,
  ...webhookRoutes,
]);

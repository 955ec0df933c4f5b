import { account } from '../actors/account/account.ts';
import { adjustment } from '../actors/adjustment/adjustment.ts';
import { apiKey } from '../actors/api-key/api-key.ts';
import { asset } from '../actors/asset/asset.ts';
import { auctionRecord } from '../actors/auction-record/auction-record.ts';
import { auditChain } from '../actors/audit-chain/audit-chain.ts';
import { auditEntry } from '../actors/audit-entry/audit-entry.ts';
import { bidderHealth } from '../actors/bidder-health/bidder-health.ts';
import { budget } from '../actors/budget/budget.ts';
import { campaign } from '../actors/campaign/campaign.ts';
import { creative } from '../actors/creative/creative.ts';
import { creativeDisk } from '../actors/creative-disk/creative-disk.ts';
import { creativePolicy } from '../actors/creative-policy/creative-policy.ts';
import { creativeRule } from '../actors/creative-rule/creative-rule.ts';
import { currencyRates } from '../actors/currency-rates/currency-rates.ts';
import { dsp } from '../actors/dsp/dsp.ts';
import { facts } from '../actors/facts/facts.ts';
import { feedPage } from '../actors/feed-page/feed-page.ts';
import { fillRateWatch } from '../actors/fill-rate-watch/fill-rate-watch.ts';
import { impressionRollup } from '../actors/impression-rollup/impression-rollup.ts';
import { invitation } from '../actors/invitation/invitation.ts';
import { job } from '../actors/job/job.ts';
import { jobLease } from '../actors/job-lease/job-lease.ts';
import { ledger } from '../actors/ledger/ledger.ts';
import { factsMinutes, ledgerMinutes } from '../actors/ledger-minutes/ledger-minutes.ts';
import { name } from '../actors/name/name.ts';
import { operators } from '../actors/operators/operators.ts';
import { partner } from '../actors/partner/partner.ts';
import { pool } from '../actors/pool/pool.ts';
import { publisher } from '../actors/publisher/publisher.ts';
import { quota } from '../actors/quota/quota.ts';
import { session } from '../actors/session/session.ts';
import { statement } from '../actors/statement/statement.ts';
import { storedRequests } from '../actors/stored-requests/stored-requests.ts';
import { strategy } from '../actors/strategy/strategy.ts';
import { user } from '../actors/user/user.ts';
import { verification } from '../actors/verification/verification.ts';
import { watermark } from '../actors/watermark/watermark.ts';
import { webhook } from '../actors/webhook/webhook.ts';
import { webhookDelivery } from '../actors/webhook-delivery/webhook-delivery.ts';
import { webhookQueue } from '../actors/webhook-queue/webhook-queue.ts';
import { webhookSubscriptions } from '../actors/webhook-subscriptions/webhook-subscriptions.ts';
import type { AnyActorDefinition } from '../runtime/actor/define-actor.ts';

/**
 * The definitions of all kinds of actors of the exchange. Those of `facts` and of their minutes get messages by the log
 * of facts alone, if there is one.
 */
export const actorKinds: readonly AnyActorDefinition[] = [
  account,
  adjustment,
  apiKey,
  asset,
  auditChain,
  auditEntry,
  auctionRecord,
  bidderHealth,
  budget,
  campaign,
  creative,
  creativeDisk,
  creativePolicy,
  creativeRule,
  currencyRates,
  dsp,
  facts,
  factsMinutes,
  feedPage,
  job,
  jobLease,
  fillRateWatch,
  invitation,
  ledger,
  ledgerMinutes,
  name,
  operators,
  partner,
  pool,
  publisher,
  quota,
  session,
  statement,
  storedRequests,
  strategy,
  impressionRollup,
  user,
  verification,
  watermark,
  webhook,
  webhookDelivery,
  webhookQueue,
  webhookSubscriptions,
];

/**
 * The kinds whose projections the gateways hold in memory. Edges follow campaigns and assets themselves
 * (delegate-catalogue.ts).
 */
export const replicatedKinds: readonly string[] = [
  account.kind,
  apiKey.kind,
  currencyRates.kind,
  dsp.kind,
  partner.kind,
  pool.kind,
  publisher.kind,
  storedRequests.kind,
  verification.kind,
  watermark.kind,
];

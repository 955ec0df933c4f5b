import { parseSavedStrategy, type SavedStrategy, type StrategyState } from '#actors/strategy/reduce';
import { strategy } from '#actors/strategy/strategy';
import { type CreativeUrl, creativeUrls } from '#exchange/creative/creative-urls';
import { MAX_STRATEGY_BYTES, Strategy } from '#exchange/strategy/document/strategy';
import { strategyFaults, takenIdFault } from '#exchange/strategy/validate/strategy';
import { closeStrategy } from '../../changes/close-delegate.ts';
import type { ManagementDeps } from '../../deps.ts';
import { withinQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { assertDelegate, assertStillNotArchived } from '../campaigns/delegate.ts';
import { faultsError } from '../campaigns/faults.ts';
import { fetchCreatives } from '../campaigns/fetch-creatives.ts';
import { DemandSourceParams, loadDemandSource } from '../demand-sources/demand-source.ts';
import { campaignIdsOfApi } from './campaign-ids-of-api.ts';
import { strategyExample } from './example.ts';
import { waitForCampaigns } from './wait-for-campaigns.ts';

/** The timeout of a save in ms: thousands of campaigns take a slow store longer than one small change. */
const saveTimeoutMs = 20_000;

export const uploadStrategy = defineRoute({
  method: 'PUT',
  path: '/api/demand/sources/:id/strategy',
  tag: 'Demand',
  operationId: 'uploadStrategy',
  summary: "Upload a delegate's strategy",
  description:
    'Replaces what the last strategy brought: its campaigns are installed, those that it has no more are retired. Campaigns of the Campaign API stay, and so does a pause by hand. A document that is not valid is 422 with every fault in `errors`, the first in `field`. At most 3 MiB. Edges use it from a moment after the answer on: they bid with every campaign that is active in the auctions of the pools that the demand source subscribes to, and with those creatives whose files are there. What creatives are made of is fetched first, and hosted by the exchange: a URL that leads to what may not be served (more than 3 wrappers or redirect domains, VPAID, a document that cannot be read) is refused, one that cannot be fetched within 1.5 s is 502 BAD_GATEWAY, whose message names the field; fetched lately, it is not fetched again.',
  access: 'account',
  revised: true,
  params: DemandSourceParams,
  body: Strategy,
  bodyCheck: 'by-handler',
  bodyLimitBytes: MAX_STRATEGY_BYTES,
  answer: { status: 200, schema: Strategy },
  errors: ['STRATEGY_INVALID', 'QUOTA_EXCEEDED', 'VALIDATION_ERROR', 'CONFLICT', 'BAD_GATEWAY'],
  examples: { body: strategyExample, answer: strategyExample },
  async handle({ params: { id }, body, caller, identity, expecting, revision, parts }) {
    const source = await loadDemandSource(parts, id, caller);
    assertDelegate(source, undefined);
    const [first, ...more] = strategyFaults(body, {
      dspId: id,
      httpsOnly: parts.settings.httpsCreativesOnly,
      takenCampaignIds: await campaignIdsOfApi(parts, id),
    });
    if (first !== undefined) throw faultsError('STRATEGY_INVALID', [first, ...more]);
    const before = await loadStrategy(parts, id);
    const { accountId } = caller;
    const { sandbox } = source;
    const bytes = Buffer.byteLength(JSON.stringify(body));
    const options = { requestId: identity.askId(), timeoutMs: saveTimeoutMs };
    const saved = await withinQuota(parts, { accountId, sandbox, resource: 'strategies', id, bytes }, async () => {
      await fetchCreatives(parts, strategyUrls(body), { accountId, sandbox }, 'STRATEGY_INVALID');
      const document = { accountId, strategy: body, ...(expecting && { expecting }) };
      const result = await parts.messenger.ask(strategy, id, 'save', document, options);
      await assertStillNotArchived(parts, id, () => closeStrategy(parts, id));
      const taken = await waitForCampaigns(parts, result);
      const [conflict, ...others] = body.campaigns.flatMap(({ campaign_id: campaignId }, index) =>
        taken.includes(campaignId) ? takenIdFault(index, campaignId) : [],
      );
      if (conflict === undefined) return result;
      await revert(parts, id, { saved: result, body, before, taken });
      throw faultsError('STRATEGY_INVALID', [conflict, ...others]);
    });
    revision(saved.revision);
    return body;
  },
});

async function loadStrategy({ store }: Pick<ManagementDeps, 'store'>, id: string): Promise<StrategyState | null> {
  const [document] = await store.load([{ kind: strategy.kind, id }]);
  return (document?.state ?? null) as StrategyState | null;
}

/**
 * Takes a saved strategy back, of which the Campaign API has created campaigns since its check: the document of before
 * is put back. Where another upload came in between, the last one is left without those campaigns. An upload that is
 * interrupted here leaves a document whose next upload is refused for these campaigns.
 */
async function revert(
  { messenger }: Pick<ManagementDeps, 'messenger'>,
  id: string,
  {
    saved,
    body,
    before,
    taken,
  }: {
    readonly saved: SavedStrategy;
    readonly body: Strategy;
    readonly before: StrategyState | null;
    readonly taken: readonly string[];
  },
): Promise<void> {
  const isNext = saved.revision === (before?.revision ?? 0) + 1;
  const isLeft = ({ campaign_id }: { readonly campaign_id: string }) => !taken.includes(campaign_id);
  const left = { ...body, campaigns: body.campaigns.filter(isLeft), rules: body.rules.filter(isLeft) };
  const document = isNext ? before && parseSavedStrategy(before) : left;
  await messenger.ask(
    strategy,
    id,
    'revert',
    { revision: saved.revision, before: document },
    { timeoutMs: saveTimeoutMs },
  );
}

function strategyUrls({ campaigns }: Strategy): CreativeUrl[] {
  return campaigns.flatMap((campaign, index) =>
    creativeUrls(campaign).map((one) => ({ ...one, field: `campaigns[${index}].${one.field}` })),
  );
}

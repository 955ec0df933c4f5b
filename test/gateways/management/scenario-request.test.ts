import { expect } from 'chai';
import { dsp } from '#actors/dsp/dsp';
import { publisher } from '#actors/publisher/publisher';
import { syntheticDspId, testPublishersOf } from '#gateways/management/bootstrap/account-sandbox';
import type { ManagementDeps } from '#gateways/management/deps';
import type { Caller } from '#gateways/management/identity/caller';
import { scenarioRequest } from '#gateways/management/resources/sandbox/test-bid/scenario-request';
import { systemRandom } from '#runtime/providers/system/system-random';
import { type EmbeddedStoreAlone, openStoreAlone } from '../../scheduler/jobs/embedded-store.ts';

const ACCOUNT = '00000000-0000-4000-8000-0000000000aa';
const POOL = '00000000-0000-4000-8000-0000000000bb';

describe('gateways/management: the bid request of a scenario', () => {
  let alone: EmbeddedStoreAlone;
  beforeEach(async () => {
    alone = await openStoreAlone();
  });
  afterEach(() => alone.close());

  const putPublisher = (number: number, poolId: string | null) => {
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const own = { accountId: ACCOUNT, partnerId: null, status: 'sandbox', type: 'web', domain: 'site.example' };
    const createdAt = new Date(Date.UTC(2026, 2, 1) + number).toISOString();
    return alone.put(publisher.kind, id, { ...own, poolId, createdAt }).then(() => id);
  };
  const publisherOf = async () => {
    const deps = {
      store: alone.store,
      random: systemRandom,
      settings: { exchangeDomain: 'exchange.example' },
    } as unknown as ManagementDeps;
    const caller = { accountId: ACCOUNT, partnerId: null } as Caller;
    return (await scenarioRequest(deps, caller, 'web-us-news')).site?.publisher?.id;
  };

  it('names the oldest publisher that the synthetic demand buys, behind more than 50 that it does not', async () => {
    await alone.put(dsp.kind, syntheticDspId(0, ACCOUNT), { status: 'sandbox', poolIds: [POOL] });
    for (let number = 1; number <= 51; number++) await putPublisher(number, null);
    const oldest = await putPublisher(52, POOL);
    await putPublisher(53, POOL);
    expect(await publisherOf()).to.equal(oldest);
  });

  it('names the test publisher of the account while the synthetic demand buys in no pool', async () => {
    await putPublisher(1, POOL);
    expect(await publisherOf()).to.equal(testPublishersOf(ACCOUNT).find(({ type }) => type === 'web')!.id);
  });
});

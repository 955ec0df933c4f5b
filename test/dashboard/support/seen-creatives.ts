import { expect } from 'chai';
import { creative } from '#actors/creative/creative';
import type { FindingCode } from '#actors/creative/scan';
import { creativeId } from '#edge/creatives/creative-id';
import { firstAccountId } from '#gateways/management/bootstrap/first-account';
import { eventually } from '../../support/eventually.ts';
import type { TestExchange } from '../../support/exchange.ts';
import { makeSeen } from '../../support/seen-creative.ts';

/** Markup that would reach the page around it, if anything of it ran. */
export const HOSTILE_MARKUP =
  '<b>Walk further</b><script>top.hit = 1; document.body.append("it runs")</script><img src="data:," onerror="top.hit = 1">';
export const HOSTILE_CRID = '<img src=x onerror="window.hit=1"> إعلان';

/** Long enough that no scan changes what a test looks at. */
const NEVER_MS = 86_400_000;

export interface SeenCreatives {
  readonly dspId: string;
  readonly publisherId: string;
  /** Its markup and its `crid` are hostile. */
  readonly hostile: string;
  /** A scan has found a forced redirect, and a large file. */
  readonly flagged: string;
  /** A publisher refused it. */
  readonly refused: string;
  /** Another version of `refused`. */
  readonly version: string;
}

/**
 * Creatives of a bidder that were offered to one publisher, as edges tell of them: of these sources, or of new ones.
 */
export async function seeCreatives(
  exchange: TestExchange,
  known?: Pick<SeenCreatives, 'dspId' | 'publisherId'>,
): Promise<SeenCreatives> {
  const { dspId, publisherId } = known ?? (await makeSources(exchange));
  const { messenger } = exchange.exchange.node;
  const see = async (crid: string, fields: object = {}): Promise<string> => {
    const seen = makeSeen({ dspId, accountId: firstAccountId, publisherIds: [publisherId], crid, ...fields });
    const id = creativeId(seen);
    await messenger.tell(creative, id, 'seen', seen);
    await eventually('the creative to be there', async () => {
      return (await exchange.call('GET', `/api/creatives/${id}`)).status === 200;
    });
    return id;
  };
  /** The exchange's own scanner has it first, or not at all: what comes last counts. */
  const claim = async (id: string) => {
    try {
      await messenger.ask(creative, id, 'claim', { forMs: NEVER_MS });
    } catch (error) {
      if (!String(error).includes('No scan is due')) throw error;
    }
    return true;
  };
  const scan = async (id: string, codes: readonly FindingCode[]) => {
    await eventually('the creative not to be scanned by another', () => claim(id));
    await messenger.ask(creative, id, 'scanned', {
      report: {
        domains: ['cdn.example', 'tracker.example'],
        redirects: 2,
        wrappers: 0,
        loadMs: 640,
        bytes: 48_000,
        landingDomain: 'brand.example',
        screenshot: null,
      },
      findings: codes.map((code) => ({ code, message: `Found: ${code}.`, url: 'https://cdn.example/ad.js' })),
      media: [],
      againInMs: NEVER_MS,
    });
  };
  const hostile = await see(HOSTILE_CRID, { markup: HOSTILE_MARKUP, advertiserDomains: ['boots.example'] });
  const flagged = await see('takes-you-away', { wins: 7 });
  await scan(flagged, ['forced-redirect', 'too-large']);
  const refused = await see('autumn', { refusals: 12 });
  const version = await see('autumn', { wins: 2 });
  await scan(refused, []);
  await scan(hostile, []);
  await scan(version, []);
  return { dspId, publisherId, hostile, flagged, refused, version };
}

async function makeSources({ call }: TestExchange): Promise<Pick<SeenCreatives, 'dspId' | 'publisherId'>> {
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await call('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body.id;
  };
  const bidder = { name: 'Outdoor bidder', mode: 'rtb', endpoint_url: 'https://bid.outdoor.example/openrtb' };
  return {
    dspId: await make('/api/demand/sources', bidder),
    publisherId: await make('/api/supply/sources', { name: 'Harbour', domain: 'harbour.example', type: 'web' }),
  };
}

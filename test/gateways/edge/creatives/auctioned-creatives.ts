import type { CreativeProjection } from '#actors/creative/projection';
import type { CreativeRuleProjection } from '#actors/creative-rule/reduce';
import { creativeId, fingerprintOf } from '#edge/creatives/creative-id';
import type { SeenMessage } from '#edge/creatives/sighting';
import { bannerRequest, type EdgeUnderTest, jsonOf } from '#test/support/edge';

/** The markup of a scripted bid. */
export const ADM = '<a href="https://advertiser.test/">an ad</a>';
export const FINGERPRINT = fingerprintOf(ADM);
export const CREATIVE = creativeId({ dspId: 'dsp-1', crid: 'creative-1', fingerprint: FINGERPRINT });

/** What tests of creatives do in the auctions of an edge: of the one that there is at the time of each call. */
export function auctionedCreatives(edge: () => EdgeUnderTest) {
  const rule = (fields: Partial<CreativeRuleProjection>, id = 'rule-1') =>
    edge().replica.put('creative-rule', {
      id,
      ...{ scope: 'publisher:pub-1', subject: 'creative', value: CREATIVE, decision: 'block', ...fields },
    } as never);
  const mode = (scope: string, chosen: string) =>
    edge().replica.put('creative-policy', { id: scope, mode: chosen } as never);
  const known = (fields: Partial<CreativeProjection>, id = CREATIVE) =>
    edge().replica.put('creative', {
      id,
      ...{ dspId: 'dsp-1', clean: false, dynamic: false, hosted: null, ...fields },
    } as never);
  /** The markup that was sold; null where nothing was. */
  const sold = async (request = bannerRequest(), path = '/rtb'): Promise<string | null> => {
    const response = await edge().post(request, {}, path);
    return response.status === 204 ? null : (await jsonOf(response)).seatbid[0].bid[0].adm;
  };
  /** What creatives were told since the last call. */
  const seen = async (): Promise<{ id: string; body: SeenMessage }[]> => {
    await new Promise((resolve) => setImmediate(resolve));
    await edge().auctionCreatives.sightings.flush();
    const told = edge().toldMessages.filter(({ kind }) => kind === 'creative');
    edge().toldMessages.length = 0;
    return told.map(({ id, body }) => ({ id, body: body as unknown as SeenMessage }));
  };
  const seenSome = async () => {
    const [first, ...others] = await seen();
    if (first === undefined) throw new Error('no creative was told');
    return [first, ...others] as const;
  };
  const losses = async (dspId = 'dsp-1') =>
    Object.entries(await edge().counted('dsp', dspId)).filter(([name]) => name.startsWith('losses/'));
  return { rule, mode, known, sold, seen, seenSome, losses };
}

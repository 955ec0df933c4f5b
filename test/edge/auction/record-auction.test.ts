import { expect } from 'chai';
import { recordAuction } from '#edge/auction/record-auction';
import { parseBidResponse } from '#exchange/openrtb/parse-bid-response';

type Deps = Parameters<typeof recordAuction>[0];
type Context = Parameters<typeof recordAuction>[1];

describe('what is recorded of an auction', () => {
  it('is whole, and other bidders are told that they lost, when a loss notice fails', () => {
    const sent: string[] = [];
    const logged: object[] = [];
    let recorded = 0;
    const deps = {
      auctionCreatives: { record: () => undefined },
      bidders: new Map(),
      notices: {
        send: (_kind: string, url: string) => {
          if (url.endsWith('/1')) throw new RangeError('Invalid string length');
          sent.push(url);
        },
      },
      recorder: { recordAuction: () => void recorded++ },
      clock: { now: () => 0 },
      logger: { error: (entry: object) => logged.push(entry) },
    } as unknown as Deps;
    const bid = ['1', '2', '3'].map((id) => ({ id, impid: '1', price: 1, lurl: `https://dsp.test/${id}` }));
    const answer = parseBidResponse({ id: 'r', seatbid: [{ bid }] }, 'r');
    if (answer.outcome !== 'bids') throw new Error(answer.outcome);
    const losses = answer.bids.map((offered) => ({
      ...{ dspId: 'dsp-1', offered, malformed: null, reason: 'lost-to-higher-bid' as const, detail: null },
      ...{ priceCpmMicros: 1, floorCpmMicros: 0, winningCpmMicros: 2, minToWinCpmMicros: 2 },
    }));
    const held = { result: { sold: [], losses } } as unknown as Parameters<typeof recordAuction>[3];
    const context = { request: { id: 'r', imp: [], test: 1 }, sandbox: false } as unknown as Context;
    recordAuction(deps, context, [{ dspId: 'dsp-1', ...answer }], held, 1, false);
    expect(sent).to.deep.equal(['https://dsp.test/2', 'https://dsp.test/3']);
    expect(recorded).to.equal(1);
    expect(logged).to.have.length(1);
  });
});

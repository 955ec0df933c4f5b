import { expect } from 'chai';
import { StatementModel } from './model.ts';

const AT_MS = Date.parse('2026-11-30T23:59:02Z');

function impression(of: { readonly priceCpmMicros: number; readonly publisher?: string; readonly soldAtMs?: number }) {
  return {
    ...{ id: 'i', auction: 'a', publisher: 'p', dsp: 'd', campaign: 'c', account: 'o', region: 'fra' },
    ...{ feePpm: 150_000, soldAtMs: AT_MS - 1_000, ...of },
  };
}

describe('the model of a month’s end', () => {
  it('says the canonical text of a statement from impressions alone', () => {
    const model = new StatementModel();
    model.add(impression({ priceCpmMicros: 2_000_000 }), AT_MS);
    // A fee of 1.5 nano-dollars is rounded to the even number.
    model.add(impression({ priceCpmMicros: 10, publisher: 'q', soldAtMs: AT_MS - 300_000 }), AT_MS);
    model.add(impression({ priceCpmMicros: 7 }), AT_MS + 60_000);
    const [earlier, later] = [Date.parse('2026-11-30T23:50:00Z'), Date.parse('2026-11-30T23:55:00Z')];
    expect(model.text({ scope: 'dsp', id: 'd' }, '2026-11-30')).to.equal(
      `[["dsp:d:2026-11-30",[[23,"fra",2,2000010,300002,[["p",1,2000000,300000],["q",1,10,2]]]],[[${earlier},1,10],[${later},1,2000000]]]]`,
    );
    expect(model.text({ scope: 'dsp', id: 'd' }, '2026-12-01')).to.equal(
      `[["dsp:d:2026-12-01",[[0,"fra",1,7,1,[["p",1,7,1]]]],[[${later},1,7]]]]`,
    );
    expect(model.text({ scope: 'account', id: 'o' }, '2026-12-01')).to.equal(
      '[["account:o:2026-12-01",[[0,"fra",1,7,1,[]]],[]]]',
    );
    expect(model.text({ scope: 'publisher', id: 'q' }, '2026-12-01')).to.equal('[]');
  });
});

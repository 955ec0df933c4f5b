import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { ABSENT_ID, againstExchange, errorOf } from './against-exchange.ts';
import { shows } from './shows.ts';

againstExchange('the daily budget of a demand source', (exchange) => {
  const path = (id: string) => `/api/demand/dsp/${id}/budget`;
  const delegate = { mode: 'delegate', daily_budget_cents: 0 };
  const nextMidnight = () => `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`;

  shows('budget.read', async () => {
    const terms = { script: bids({ price: 2.5 }), dsp: { daily_budget_cents: 300 } };
    const market = await exchange.market({ bidders: [terms] });
    const [{ dspId }] = market.bidders as [(typeof market.bidders)[0]];
    const { burl } = await market.bid();
    expect((await callJson('GET', burl)).status).to.equal(200);
    const spent = await eventually('the impression in the books', async () => {
      const { body } = await exchange.get(path(dspId));
      return body.spent_today_cents > 0 && body;
    });
    const { reserved_cents: reserved, remaining_cents: remaining, ...others } = spent;
    expect(others).to.deep.equal({ daily_budget_cents: 300, spent_today_cents: 0.25, resets_at: nextMidnight() });
    // What an edge may sell, and what it has sold before without a rendering.
    expect(reserved).to.be.within(0.25, 10);
    expect(remaining).to.be.closeTo(300 - 0.25 - reserved, 0.0001);
    expect(errorOf(await exchange.get(path(ABSENT_ID)))).to.equal('404 NOT_FOUND');
  });

  shows('budget.write', async () => {
    const { id } = await exchange.create('/api/demand/sources', delegate);
    expect((await exchange.get(path(id))).body).to.include({ daily_budget_cents: 0, remaining_cents: null });
    const set = await exchange.call('PUT', path(id), { daily_budget_cents: 1_234 });
    expect(set.status).to.equal(200);
    expect(set.body).to.include({ daily_budget_cents: 1_234, spent_today_cents: 0, remaining_cents: 1_234 });
    expect((await exchange.get(`/api/demand/sources/${id}`)).body.daily_budget_cents).to.equal(1_234);

    const refused: [unknown, string][] = [
      [{}, '400 INVALID_PARAMS daily_budget_cents'],
      [{ daily_budget_cents: -1 }, '400 VALIDATION_ERROR daily_budget_cents'],
      [{ daily_budget_cents: 0.5 }, '400 VALIDATION_ERROR daily_budget_cents'],
      [{ daily_budget_cents: 1, spent_today_cents: 0 }, '400 VALIDATION_ERROR spent_today_cents'],
    ];
    for (const [body, error] of refused) expect(errorOf(await exchange.call('PUT', path(id), body))).to.equal(error);
    await exchange.call('DELETE', `/api/demand/sources/${id}`);
    expect(errorOf(await exchange.call('PUT', path(id), { daily_budget_cents: 1 }))).to.equal('409 CONFLICT');
  });
});

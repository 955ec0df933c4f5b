import { expect } from 'chai';
import { routes } from '../../gateways/management/routes.ts';
import { callJson } from '../support/exchange.ts';
import { ABSENT_ID, againstExchange, errorOf } from './against-exchange.ts';
import { shows } from './shows.ts';

againstExchange('authentication', (exchange) => {
  const path = '/api/supply/sources';
  const asked = (key: string | undefined, method = 'GET', target = path) =>
    callJson(method, `${exchange.running.baseUrl}${target}`, undefined, key === undefined ? {} : { 'X-API-Key': key });

  shows(['auth.api-key', 'auth.api-key.live'], async () => {
    const { liveKey } = exchange.running;
    expect(liveKey).to.match(/^pk_live_/);
    expect((await asked(liveKey)).status).to.equal(200);
  });
  shows('auth.api-key.sandbox', async () => {
    const { sandboxKey } = exchange.running;
    expect(sandboxKey).to.match(/^pk_sandbox_/);
    expect((await asked(sandboxKey)).status).to.equal(200);
  });
  shows('auth.401.missing', async () => expect(errorOf(await asked(undefined))).to.equal('401 UNAUTHORIZED'));
  shows('auth.401.invalid', async () => {
    const { liveKey } = exchange.running;
    for (const key of [
      'pk_live_nobody_has_this',
      'secret',
      `${liveKey}x`,
      liveKey.slice(0, -1),
      liveKey.toUpperCase(),
    ]) {
      expect(errorOf(await asked(key)), key).to.equal('401 UNAUTHORIZED');
    }
  });
  shows('auth.401.every-endpoint', async () => {
    for (const { method, path: named } of routes.filter(({ access }) => access !== 'public')) {
      const target = named.replaceAll(/:\w+/g, ABSENT_ID);
      expect(errorOf(await asked(undefined, method, target)), `${method} ${target}`).to.equal('401 UNAUTHORIZED');
      expect((await asked(exchange.running.liveKey, method, target)).status, `${method} ${target}`).not.to.equal(401);
    }
  });
  shows('auth.public.health', async () => expect((await asked(undefined, 'GET', '/api/health')).status).to.equal(200));
  shows('auth.public.sellers', async () =>
    expect((await asked(undefined, 'GET', '/sellers.json')).status).to.equal(200),
  );
  shows('auth.public.pixel', async () => {
    const response = await fetch(`${exchange.running.edgeUrl}/track/impression?id=any`);
    expect(response.status).to.equal(200);
    await response.arrayBuffer();
  });
  shows('auth.public.invalid-key', async () => {
    const { baseUrl, edgeUrl } = exchange.running;
    const wrong: Record<string, string>[] = [
      { 'X-API-Key': 'pk_live_nobody_has_this' },
      { 'X-API-Key': 'secret' },
      { Authorization: 'Bearer pk_live_nobody_has_this' },
      { Authorization: 'Basic c2VjcmV0' },
    ];
    for (const headers of wrong) {
      for (const url of [`${baseUrl}/api/health`, `${baseUrl}/sellers.json`, `${edgeUrl}/track/impression?id=any`]) {
        const response = await fetch(url, { headers });
        await response.arrayBuffer();
        expect(response.status, `${url} ${JSON.stringify(headers)}`).to.equal(200);
      }
    }
  });
  shows('auth.bearer', async () => {
    const { baseUrl, edgeUrl, liveKey, sandboxKey } = exchange.running;
    const bearer = (key: string, scheme = 'Bearer') => ({ Authorization: `${scheme} ${key}` });
    const source = await exchange.create(path, { domain: 'd.example', type: 'web' });
    const cookie = await exchange.running.logIn();
    const made = await callJson('POST', `${baseUrl}${path}/${source.id}/key`, {}, { Cookie: cookie });
    for (const [target, key] of [
      [path, liveKey],
      ['/api/metrics', sandboxKey],
      ['/api/source/report', made.body.key],
    ]) {
      expect((await callJson('GET', `${baseUrl}${target}`, undefined, bearer(key))).status, target).to.equal(200);
    }
    expect((await callJson('GET', `${baseUrl}${path}`, undefined, bearer(liveKey, 'bearer'))).status).to.equal(200);
    // Of two keys that of the service's own header counts.
    const both = { ...bearer(liveKey), 'X-API-Key': 'pk_live_nobody_has_this' };
    expect(errorOf(await callJson('GET', `${baseUrl}${path}`, undefined, both))).to.equal('401 UNAUTHORIZED');
    const request = { id: 'a', imp: [{ id: '1', banner: { w: 300, h: 250 } }], site: { id: source.id } };
    const sold = (headers: Record<string, string>) => callJson('POST', `${edgeUrl}/rtb`, request, headers);
    expect(errorOf(await sold(bearer('pk_live_nobody_has_this')))).to.equal('401 UNAUTHORIZED');
    expect((await sold(bearer(liveKey))).status).not.to.equal(401);
  });
  shows('auth.401.challenge', async () => {
    const { baseUrl, edgeUrl } = exchange.running;
    const wrong = { 'X-API-Key': 'pk_live_nobody_has_this' };
    const answers = [
      await asked(undefined),
      await asked(wrong['X-API-Key']),
      await callJson('GET', `${baseUrl}/ws/metrics`, undefined, wrong),
      await callJson('POST', `${edgeUrl}/rtb`, {}, wrong),
    ];
    for (const { status, headers } of answers) {
      expect([status, headers.get('www-authenticate')]).to.deep.equal([
        401,
        'Bearer realm="exchange", ApiKey realm="exchange", header="X-API-Key"',
      ]);
    }
  });
  shows(['auth.partner.aggregates', 'auth.partner.owns'], async () => {
    const partners: string[] = [];
    for (let count = 0; count < 2; count++) partners.push((await exchange.create('/api/partners', {})).id);
    const ids: string[] = [];
    for (const partner of partners) {
      const fields = { domain: 'd.example', type: 'web' };
      const created = await exchange.create(path, fields, { 'X-User-Partner-ID': partner });
      expect(created.partner_id).to.equal(partner);
      const buyer = await exchange.create(
        '/api/demand/sources',
        { mode: 'delegate' },
        { 'X-User-Partner-ID': partner },
      );
      expect(buyer.partner_id).to.equal(partner);
      ids.push(created.id);
    }
    const listed = async (headers: Record<string, string>) =>
      (await exchange.get(path, headers)).body.publishers.map(({ id }: { id: string }) => id);
    expect(await listed({})).to.include.members(ids);
    for (const [index, partner] of partners.entries()) {
      const headers = { 'X-User-Partner-ID': partner };
      expect(await listed(headers)).to.deep.equal([ids[index]]);
      expect((await exchange.get(`${path}/${ids[index]}`, headers)).status).to.equal(200);
      expect(errorOf(await exchange.get(`${path}/${ids[1 - index]}`, headers))).to.equal('404 NOT_FOUND');
    }
  });
  shows('auth.partner.foreign', async () => {
    for (const stranger of ['nobody', ABSENT_ID]) {
      const answer = await exchange.get(path, { 'X-User-Partner-ID': stranger });
      expect(errorOf(answer)).to.equal('403 FORBIDDEN');
    }
  });
});

import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bids, silent } from '../support/bidder.ts';
import { type Answer, callJson } from '../support/exchange.ts';
import { ABSENT_ID, againstExchange, errorOf } from './against-exchange.ts';
import { shows } from './shows.ts';

const path = '/api/supply/sources';
const valid = () => ({ name: `Source ${randomUUID()}`, domain: 'site.example', type: 'web' });

againstExchange('errors', (exchange) => {
  const post = (body: unknown, headers?: Record<string, string>) => exchange.call('POST', path, body, headers);
  const anonymous = (target: string) => callJson('GET', `${exchange.running.baseUrl}${target}`);
  const wellFormed = ({ status, headers, body }: Answer, ...fields: string[]) => {
    expect(status).to.be.at.least(400);
    expect(body).to.have.all.keys('error');
    expect(body.error).to.have.all.keys('code', 'message', 'request_id', ...fields);
    const { errors: _, ...texts } = body.error;
    for (const value of Object.values(texts)) expect(value).to.be.a('string').and.not.equal('');
    expect(body.error.request_id).to.equal(headers.get('x-request-id'));
  };

  describe('the body', () => {
    shows('error.body', async () => {
      wellFormed(await exchange.get(`${path}/${ABSENT_ID}`));
      wellFormed(await anonymous(path));
      wellFormed(await post('{'));
    });
    shows('error.field', async () => {
      wellFormed(await post({ ...valid(), type: 7 }), 'field', 'errors');
      wellFormed(await post({}), 'field', 'errors');
      wellFormed(await exchange.get(`${path}?page=x`), 'field', 'errors');
      const { name } = await exchange.create(path, valid());
      wellFormed(await post({ ...valid(), name }));
      const forbidden = await exchange.get(path, { 'X-User-Partner-ID': 'nobody' });
      wellFormed(forbidden);
      expect(forbidden.body.error.message).to.include('X-User-Partner-ID');
    });
    shows('error.errors', async () => {
      const { error } = (await post({ ...valid(), type: 'tv', floor_price_cpm: -1, nothing: 1 })).body;
      const fields = error.errors.map(({ field }: { field: string }) => field);
      expect(fields).to.have.members(['nothing', 'type', 'floor_price_cpm']);
      expect(error.errors[0]).to.deep.equal({ field: error.field, message: error.message });
      const query = (await exchange.get(`${path}?per_page=201&page=0`)).body.error;
      expect(query.errors).to.have.deep.members([
        { field: 'per_page', message: 'per_page must be at most 200.' },
        { field: 'page', message: 'page must be at least 1.' },
      ]);
      // What a handler finds has the same form.
      const named = await exchange.call('POST', '/api/demand/sources', { name: 'A bidder', mode: 'rtb' });
      expect(named.body.error.errors).to.deep.equal([{ field: 'endpoint_url', message: named.body.error.message }]);
    });
    shows('error.unknown-parameter', async () => {
      const answer = await exchange.get(`${path}?perpage=3&per_page=3&sandbox=false`);
      expect([answer.status, answer.headers.get('warning')]).to.deep.equal([
        200,
        '299 - "Unknown query parameters: perpage"',
      ]);
      expect((await exchange.get(`${path}?per_page=3`)).headers.get('warning')).to.equal(null);
    });
    shows('error.request_id', async () => {
      const answers = [await anonymous('/api/health'), await exchange.get(path), await anonymous(path)];
      answers.push(await callJson('POST', `${exchange.running.edgeUrl}/rtb`, '{'));
      const ids = answers.map(({ headers }) => headers.get('x-request-id'));
      for (const id of ids) expect(id).to.match(/^[\w-]{8,}$/);
      expect(new Set(ids).size).to.equal(ids.length);
      expect(answers.at(-1)!.body.error.request_id).to.equal(ids.at(-1));
    });
    shows('error.request_id.given', async () => {
      const answer = await exchange.get(`${path}/${ABSENT_ID}`, { 'X-Request-Id': 'caller-1' });
      expect(answer.headers.get('x-request-id')).to.equal('caller-1');
      expect(answer.body.error.request_id).to.equal('caller-1');
    });
  });

  describe('the catalogue', () => {
    shows('error.200', async () => expect((await exchange.get(path)).status).to.equal(200));
    shows('error.201', async () => expect((await post(valid())).status).to.equal(201));
    shows('error.204', async () => {
      const market = await exchange.market({});
      const answer = await market.ask();
      expect([answer.status, answer.body]).to.deep.equal([204, '']);
    });
    shows('error.400.INVALID_PARAMS.body', async () =>
      expect(errorOf(await post({ ...valid(), name: undefined }))).to.equal('400 INVALID_PARAMS name'),
    );
    shows('error.400.INVALID_PARAMS.query', async () =>
      expect(errorOf(await exchange.get(`${path}?per_page=lots`))).to.equal('400 INVALID_PARAMS per_page'),
    );
    shows('error.400.INVALID_JSON', async () => {
      for (const body of ['{', '{"name": }', 'name']) {
        expect(errorOf(await post(body)), body).to.equal('400 INVALID_JSON');
      }
    });
    shows('error.400.VALIDATION_ERROR.type', async () =>
      expect(errorOf(await post({ ...valid(), domain: 7 }))).to.equal('400 VALIDATION_ERROR domain'),
    );
    shows('error.400.VALIDATION_ERROR.value', async () => {
      for (const floor of [-1, 1e9]) {
        const answer = await post({ ...valid(), floor_price_cpm: floor });
        expect(errorOf(answer)).to.equal('400 VALIDATION_ERROR floor_price_cpm');
      }
    });
    shows('error.401.UNAUTHORIZED', async () => expect(errorOf(await anonymous(path))).to.equal('401 UNAUTHORIZED'));
    shows('error.403.FORBIDDEN', async () => {
      const { id } = await exchange.create(path, { ...valid(), sandbox: true });
      const key = { 'X-API-Key': exchange.running.sandboxKey };
      expect(errorOf(await exchange.call('PUT', `${path}/${id}`, { sandbox: false }, key))).to.equal('403 FORBIDDEN');
    });
    shows('error.404.NOT_FOUND', async () => {
      expect(errorOf(await exchange.get(`${path}/${ABSENT_ID}`))).to.equal('404 NOT_FOUND');
      expect(errorOf(await exchange.get('/api/nowhere'))).to.equal('404 NOT_FOUND');
    });
    shows('error.405.METHOD_NOT_ALLOWED', async () => {
      const answer = await exchange.call('DELETE', path);
      expect(errorOf(answer)).to.equal('405 METHOD_NOT_ALLOWED');
      expect(answer.headers.get('allow')).to.match(/\bGET\b.*\bPOST\b|\bPOST\b.*\bGET\b/);
    });
    shows('error.409.CONFLICT', async () => {
      const { name } = await exchange.create(path, valid());
      expect(errorOf(await post({ ...valid(), name }))).to.equal('409 CONFLICT');
    });
    shows('error.412.PRECONDITION_FAILED', async () => {
      const created = await post(valid());
      const put = (name: string) =>
        exchange.call('PUT', `${path}/${created.body.id}`, { name }, { 'If-Match': created.headers.get('etag')! });
      expect((await put(`${created.body.name} changed`)).status).to.equal(200);
      expect(errorOf(await put(`${created.body.name} lost`))).to.equal('412 PRECONDITION_FAILED');
    });
    shows('error.413.PAYLOAD_TOO_LARGE', async () =>
      expect(errorOf(await post({ ...valid(), name: 'x'.repeat(1_100_000) }))).to.equal('413 PAYLOAD_TOO_LARGE'),
    );
    shows('error.415.UNSUPPORTED_MEDIA_TYPE', async () => {
      const answer = await post('name=x', { 'Content-Type': 'application/x-www-form-urlencoded' });
      expect(errorOf(answer)).to.equal('415 UNSUPPORTED_MEDIA_TYPE');
    });
    shows('error.edge', async () => {
      const { edgeUrl } = exchange.running;
      wellFormed(await callJson('POST', `${edgeUrl}/rtb`, '{'));
      wellFormed(await callJson('POST', `${edgeUrl}/rtb`, { id: '1' }), 'field', 'errors');
      wellFormed(await callJson('GET', `${edgeUrl}/vast`), 'field', 'errors');
      wellFormed(await callJson('GET', `${edgeUrl}/nowhere`));
    });
  });
});

againstExchange(
  'overload',
  (exchange) => {
    shows('error.503.SERVICE_UNAVAILABLE', async () => {
      const market = await exchange.market({ bidders: [{ script: bids({ price: 1 }) }] });
      market.bidders[0]!.script = silent();
      const answers = await Promise.all([market.ask(), market.ask(), market.ask()]);
      const shed = answers.filter(({ status }) => status === 503);
      expect(shed.length).to.be.within(1, 2);
      for (const answer of shed) {
        expect(errorOf(answer)).to.equal('503 SERVICE_UNAVAILABLE');
        expect(answer.headers.get('retry-after')).to.equal('30');
      }
      market.bidders[0]!.script = bids({ price: 1 });
      expect((await market.ask()).status).to.equal(200);
    });
  },
  { environment: { MAX_AUCTIONS_IN_FLIGHT: '1' } },
);

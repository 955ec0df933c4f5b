import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { apiKey } from '#actors/api-key/api-key';
import { credentialId } from '#gateways/http/credential-id';
import { eventually } from '../../support/eventually.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type RunningManagement, startManagement } from './running-management.ts';

const json = { 'Content-Type': 'application/json' };

describe('gateways/management/protocol', () => {
  let running: RunningManagement;
  let api: ManagementClient;

  before(async function () {
    running = await startManagement(this);
    api = running.api;
  });
  after(() => running.close());

  const sources = '/api/supply/sources';
  const valid = () => ({ name: `Source ${Math.random()}`, domain: 'd.example', type: 'web' });

  it('names the methods of a path alone in Allow, and not those of ids that it is not', async () => {
    for (const [path, methods] of [
      ['/api/invitations/accept', ['POST']],
      ['/api/invitations/look-up', ['POST']],
      [`/api/invitations/${crypto.randomUUID()}`, ['DELETE']],
    ] as const) {
      const { headers } = await api.request('OPTIONS', path);
      expect(headers.get('allow')?.split(', '), path).to.have.members([...methods]);
    }
    for (const path of ['/api/invitations/accept', '/api/invitations/look-up']) {
      for (const method of ['PATCH', 'DELETE']) {
        const { status, headers } = await api.request(method, path);
        expect([status, headers.get('allow')], `${method} ${path}`).to.deep.equal([405, 'POST']);
      }
    }
  });

  describe('public endpoints', () => {
    it('GET /api/health needs no key', async () => {
      const answer = await running.anonymous.get('/api/health');
      expect([answer.status, answer.body]).to.deep.equal([200, { status: 'ok', region: 'fra', version: '1.2.3' }]);
    });

    it('GET /sellers.json lists active live sources, for an hour', async () => {
      const own = await running.newAccount();
      const live = (await own.api.post(sources, { ...valid(), domain: 'live.example' })).body;
      const archived = (await own.api.post(sources, valid())).body;
      const sandbox = (await own.api.post(sources, { ...valid(), sandbox: true })).body;
      await own.api.delete(`${sources}/${archived.id}`);
      const seller = {
        seller_id: live.id,
        name: live.name,
        domain: 'live.example',
        seller_type: 'PUBLISHER',
        is_confidential: 0,
        comment: 'Not verified: its ads.txt or app-ads.txt does not list this exchange.',
      };
      await eventually('the replica to follow', async () => {
        const answer = await running.anonymous.get('/sellers.json');
        expect(answer.headers.get('cache-control')).to.equal('public, max-age=3600');
        expect(answer.body).to.deep.include({ version: '1.0', identifiers: [] });
        const { sellers } = answer.body;
        expect(sellers).to.deep.include(seller);
        const ids = sellers.map(({ seller_id: id }: { seller_id: string }) => id);
        expect(ids).not.to.include.oneOf([archived.id, sandbox.id]);
        return true;
      });
    });
  });

  describe('authentication', () => {
    for (const [what, headers] of [
      ['no key', {}],
      ['an empty key', { 'X-API-Key': '' }],
      ['a key of another form', { 'X-API-Key': 'secret' }],
      ['a key that nobody has', { 'X-API-Key': 'pk_live_0000000000000000000000' }],
    ] as const) {
      it(`answers 401 to ${what}`, async () => {
        const answer = await running.anonymous.get(sources, headers);
        expect(errorOf(answer)).to.equal('401 UNAUTHORIZED');
        expect(answer.headers.get('www-authenticate')).to.be.a('string');
      });
    }

    it('answers 401 before anything is said of the resource, and writes nothing', async () => {
      expect(errorOf(await running.anonymous.get(`${sources}/x`))).to.equal('401 UNAUTHORIZED');
      const answer = await running.anonymous.request('POST', sources, { raw: '{', headers: json });
      expect(errorOf(answer)).to.equal('401 UNAUTHORIZED');
    });

    it('ends with the revocation of the key', async () => {
      const own = await running.newAccount();
      expect((await own.api.get(sources)).status).to.equal(200);
      const { accountId } = own;
      await running.node.messenger.ask(apiKey, credentialId(own.liveKey), 'revoke', { accountId });
      await eventually('the key to be refused', async () => (await own.api.get(sources)).status === 401);
      expect((await own.sandboxApi.get(sources)).status).to.equal(200);
    });

    it('keeps no key in clear', async () => {
      for (const kind of ['account', 'api-key']) {
        const { documents } = await running.store.query(kind, {});
        expect(documents).not.to.have.length(0);
        expect(JSON.stringify(documents)).not.to.include(running.liveKey);
      }
    });

    it('answers 403 to a partner id that is none', async () => {
      expect(errorOf(await api.get(sources, { 'X-User-Partner-ID': 'x' }))).to.equal('403 FORBIDDEN');
    });
  });

  describe('request ids', () => {
    it('are the caller’s own when they are sane', async () => {
      const answer = await api.get('/api/health', { 'X-Request-Id': 'abc-123' });
      expect(answer.headers.get('x-request-id')).to.equal('abc-123');
    });

    for (const [what, given] of [
      ['with spaces', 'a b'],
      ['with markup', '<script>'],
      ['too long', 'x'.repeat(129)],
    ] as const) {
      it(`are made anew when they come ${what}`, async () => {
        const answer = await api.get('/api/health', { 'X-Request-Id': given });
        expect(answer.headers.get('x-request-id')).to.match(/^[A-Za-z0-9_-]{22}$/);
      });
    }
  });

  describe('bodies', () => {
    const send = (raw: string | Uint8Array, headers: Record<string, string> = json) =>
      api.request('POST', sources, { raw, headers });

    for (const raw of ['{', '{"name": }', 'nul', '{"__proto__": {"name": "x"}}', '{"a": [{"__proto__": 1}]}']) {
      it(`answers 400 INVALID_JSON to ${raw}`, async () => {
        expect(errorOf(await send(raw))).to.equal('400 INVALID_JSON');
      });
    }

    for (const raw of ['[]', 'null', '"text"', '""', '7', 'true']) {
      it(`answers 400 VALIDATION_ERROR to ${raw}, which is JSON and no object`, async () => {
        expect(errorOf(await send(raw))).to.equal('400 VALIDATION_ERROR');
      });
    }

    it('answers 400 INVALID_JSON to what is not UTF-8, and stores nothing of it', async () => {
      const [before, after] = JSON.stringify({ ...valid(), name: 'a|b' }).split('|') as [string, string];
      for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
        const raw = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
        expect(errorOf(await send(raw)), String(bytes)).to.equal('400 INVALID_JSON');
      }
      const named = await send(JSON.stringify({ ...valid(), name: 'Ünï 語 😀' }));
      expect([named.status, named.body.name]).to.deep.equal([201, 'Ünï 語 😀']);
      expect(
        (await send(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(JSON.stringify(valid()))]))).status,
      ).to.equal(201);
    });

    it('answers 400 to depth without end', async () => {
      const raw = `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
      expect((await send(raw)).status).to.equal(400);
    });

    it('reads an absent body as an empty one', async () => {
      expect(errorOf(await api.post(sources))).to.match(/^400 INVALID_PARAMS (name|domain|type)$/);
    });

    it('answers 415 to another media type', async () => {
      expect(errorOf(await send('name=x', { 'Content-Type': 'application/x-www-form-urlencoded' }))).to.equal(
        '415 UNSUPPORTED_MEDIA_TYPE',
      );
      const answer = await send(JSON.stringify(valid()), { 'Content-Type': 'text/plain' });
      expect(errorOf(answer)).to.equal('415 UNSUPPORTED_MEDIA_TYPE');
    });

    it('answers 415 to an unknown content encoding', async () => {
      const answer = await send('{}', { ...json, 'Content-Encoding': 'x-rot13' });
      expect(errorOf(answer)).to.equal('415 UNSUPPORTED_MEDIA_TYPE');
    });

    it('reads gzip', async () => {
      const raw = gzipSync(JSON.stringify(valid()));
      expect((await send(raw, { ...json, 'Content-Encoding': 'gzip' })).status).to.equal(201);
    });

    it('answers 413 to more than 1 MB, before and after decompression', async () => {
      const large = JSON.stringify({ ...valid(), name: 'x'.repeat(1_100_000) });
      expect(errorOf(await send(large))).to.equal('413 PAYLOAD_TOO_LARGE');
      const answer = await send(gzipSync(large), { ...json, 'Content-Encoding': 'gzip' });
      expect(errorOf(answer)).to.equal('413 PAYLOAD_TOO_LARGE');
    });

    it('survives a caller that goes away in the middle', async () => {
      const { port } = new URL(running.baseUrl);
      const socket = connect(Number(port), '127.0.0.1');
      const head = `POST ${sources} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${running.liveKey}\r\n`;
      socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":`, () =>
        socket.destroy(),
      );
      await new Promise((resolve) => socket.once('close', resolve));
      expect((await api.get('/api/health')).status).to.equal(200);
    });
  });

  describe('paths and methods', () => {
    it('answers 404 to an unknown path, with and without a key', async () => {
      expect(errorOf(await api.get('/api/nothing'))).to.equal('404 NOT_FOUND');
      expect(errorOf(await running.anonymous.get('/nothing'))).to.equal('404 NOT_FOUND');
      expect(errorOf(await api.get(`${sources}/%E0%A4%A`))).to.equal('404 NOT_FOUND');
    });

    it('answers 405 to a method that the resource does not know', async () => {
      for (const method of ['PATCH', 'DELETE', 'PROPFIND']) {
        const answer = await api.request(method, sources);
        expect(errorOf(answer), method).to.equal('405 METHOD_NOT_ALLOWED');
        const allowed = answer.headers.get('allow');
        expect(allowed, method).to.include('GET').and.include('POST');
        expect(answer.body.error.message, method).to.contain(allowed);
      }
      expect(errorOf(await api.post('/api/health'))).to.equal('405 METHOD_NOT_ALLOWED');
    });

    it('answers HEAD like GET without the body', async () => {
      const answer = await api.request('HEAD', '/api/health');
      expect([answer.status, answer.body]).to.deep.equal([200, null]);
    });
  });

  it('answers 400 to an Idempotency-Key that is too long', async () => {
    const answer = await api.post(sources, valid(), { 'Idempotency-Key': 'x'.repeat(256) });
    expect(errorOf(answer)).to.equal('400 INVALID_PARAMS Idempotency-Key');
  });
});

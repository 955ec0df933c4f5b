import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createClient, type ExchangeClient } from '#client/index';
import { EdgeUnderTest } from '#test/support/edge';
import { openTcpProxy, type TcpProxy } from '#test/support/tcp-proxy';
import { failureOf } from './failure-of.ts';

/** ms in each direction to the edge that is far. */
const FAR_MS = 150;

describe('the client’s nearest regions', () => {
  let near: EdgeUnderTest;
  let far: EdgeUnderTest;
  let ocean: TcpProxy;
  let api: Server;
  let client: ExchangeClient;
  /** What `GET /api/regions` lists: code and URL. */
  let listed: [code: string, url: string][];
  /** Status of `GET /api/regions`. */
  let status: number;
  let lists: number;
  let pings: string[];

  before(async () => {
    near = await new EdgeUnderTest().start();
    far = await new EdgeUnderTest().start();
    ocean = await openTcpProxy('127.0.0.1', Number(new URL(far.origin).port), FAR_MS);
    api = createServer((_request, response) => {
      lists += 1;
      const regions = listed.map(([code, url]) => ({ code, url, ping_url: `${url}/ping` }));
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(status === 200 ? JSON.stringify({ region: 'fra', regions }) : '{"error":{"code":"FORBIDDEN"}}');
    });
    api.listen(0, '127.0.0.1');
    await once(api, 'listening');
  });
  after(async () => {
    api.close();
    await ocean.close();
    await near.close();
    await far.close();
  });
  beforeEach(() => {
    listed = [
      ['fra', `http://127.0.0.1:${ocean.port}`],
      ['nyc', near.origin],
    ];
    [status, lists, pings] = [200, 0, []];
    client = createClient({
      baseUrl: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
      fetch: (request) => {
        if (request.url.endsWith('/ping')) pings.push(request.url);
        return fetch(request);
      },
    });
  });

  it('come by measured round trip, four pings each', async () => {
    const regions = await client.nearestRegions();
    expect(regions.map(({ code, url }) => [code, url])).to.deep.equal([listed[1], listed[0]]);
    expect(regions[1]!.roundTripMs).to.be.at.least(2 * FAR_MS);
    expect(pings).to.have.length(8);
  });

  it('are measured once for callers at the same time and later ones, and again when that is asked for', async () => {
    const [one, other] = await Promise.all([client.nearestRegions(), client.nearestRegions()]);
    expect(one).to.equal(other);
    expect(await client.nearestRegions()).to.equal(one);
    expect(lists).to.equal(1);
    expect(await client.nearestRegions({ maxAgeMs: 0 })).not.to.equal(one);
    expect(lists).to.equal(2);
  });

  it('come last, without a round trip, where they do not answer pings', async () => {
    const port = Number(new URL(near.origin).port);
    const refused = await openTcpProxy('127.0.0.1', port);
    refused.cut();
    listed.unshift(['lon', `http://127.0.0.1:${refused.port}`]);
    const regions = await client.nearestRegions();
    expect(regions.map(({ code }) => code)).to.deep.equal(['nyc', 'fra', 'lon']);
    expect(regions[2]!.roundTripMs).to.equal(null);
    await refused.close();
  });

  it('are measured again at the next call where none answered', async () => {
    const urls = listed.splice(0);
    listed.push(['fra', `${near.origin}/nothing`]);
    expect((await client.nearestRegions()).map(({ roundTripMs }) => roundTripMs)).to.deep.equal([null]);
    listed = urls;
    expect((await client.nearestRegions())[0]!.code).to.equal('nyc');
  });

  it('fail as a call of the API does, and are asked for again', async () => {
    status = 403;
    expect((await failureOf(client.nearestRegions())).code).to.equal('FORBIDDEN');
    status = 200;
    expect(await client.nearestRegions()).to.have.length(2);
  });
});

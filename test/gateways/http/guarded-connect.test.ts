import dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { Agent, request } from 'undici';
import { guardedConnect } from '#gateways/http/guarded-connect';
import { OwnEndpoints } from '#gateways/http/own-endpoints';

const OF_INTERFACES = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .filter(({ family, internal }) => family === 'IPv4' && !internal)
  .map(({ address }) => address);
const OF_THIS_MACHINE = [
  '127.0.0.1',
  '127.0.0.2',
  'localhost',
  '0.0.0.0',
  '[::ffff:127.0.0.1]',
  '[::1]',
  '[::]',
  '2130706433',
  ...OF_INTERFACES,
];

describe('gateways/http/guarded-connect', () => {
  let server: Server;
  let port: number;
  let asked = 0;
  const agents: Agent[] = [];
  before(async () => {
    server = createServer((_request, response) => {
      asked++;
      response.end('inside');
    });
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    port = (server.address() as AddressInfo).port;
  });
  after(async () => {
    await Promise.all(agents.map((agent) => agent.destroy()));
    server.closeAllConnections();
    server.close();
  });

  const call = async (own: OwnEndpoints | null, host: string, allowPrivateNetworks = true) => {
    const policy = { allowPrivateNetworks, ...(own && { ownEndpoints: own }) };
    const agent = new Agent({ connect: guardedConnect(policy, 1_000) });
    agents.push(agent);
    return request(`http://${host}:${port}/`, { dispatcher: agent }).then(
      ({ body }) => body.text(),
      (error) => error.code as string,
    );
  };

  it('never leads to a port that we listen on, by whichever address of this machine, though private networks are allowed', async () => {
    const own = new OwnEndpoints();
    own.listensOn(port);
    for (const host of OF_THIS_MACHINE) expect(await call(own, host), host).to.equal('ADDRESS_FORBIDDEN');
    expect(asked).to.equal(0);
  });

  it('never leads to a store of ours, whatever it is called', async () => {
    for (const store of ['localhost', '127.0.0.1']) {
      const own = new OwnEndpoints();
      own.uses(store, port);
      for (const host of OF_THIS_MACHINE) expect(await call(own, host), host).to.equal('ADDRESS_FORBIDDEN');
    }
    expect(asked).to.equal(0);
  });

  it('leads to other ports of this machine where private networks are allowed, and else not', async () => {
    const own = new OwnEndpoints();
    own.listensOn(port + 1);
    own.uses('127.0.0.1', port + 2);
    for (const host of ['127.0.0.1', 'localhost']) expect(await call(own, host)).to.equal('inside');
    expect(await call(null, 'localhost')).to.equal('inside');
    expect(await call(own, 'localhost', false)).to.equal('ADDRESS_FORBIDDEN');
  });

  it('looks a name up once for all connections that wait for it', async () => {
    const { lookup } = dns;
    const asked: string[] = [];
    dns.lookup = ((...[hostname, ...rest]: Parameters<typeof lookup>) => {
      asked.push(hostname);
      lookup(hostname, ...rest);
    }) as typeof lookup;
    try {
      const opened = Array.from({ length: 20 }, () => {
        const target = { hostname: 'localhost', host: `localhost:${port}`, protocol: 'http:', port: String(port) };
        return new Promise<Socket>((resolve, reject) => {
          guardedConnect({ allowPrivateNetworks: true }, 1_000)(target, (error, socket) =>
            error === null ? resolve(socket) : reject(error),
          );
        });
      });
      for (const socket of await Promise.all(opened)) socket.destroy();
      expect(asked).to.deep.equal(['localhost']);
    } finally {
      dns.lookup = lookup;
    }
  });

  it('leads to the port of one of our stores on another machine', async () => {
    const own = new OwnEndpoints();
    own.uses('203.0.113.7', port);
    own.uses('store.invalid', port);
    for (const host of ['127.0.0.1', 'localhost']) expect(await call(own, host)).to.equal('inside');
  });
});

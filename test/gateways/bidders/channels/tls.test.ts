import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { LOCAL_CERTIFICATE } from '#test/support/local-certificate';
import { type RawBidder, startRawBidder } from './raw-bidder.ts';
import type { CallEnd } from './recorded-call.ts';
import type { TlsJob } from './tls-calls-process.ts';

/**
 * Of OpenSSL 3 (`SSL_OP_NO_EXTENDED_MASTER_SECRET`); a session that has one may not be resumed without (RFC 7627 §5.3).
 */
const NO_EXTENDED_MASTER_SECRET = 1;

const PROGRAM = fileURLToPath(new URL('./tls-calls-process.js', import.meta.url));

describe('calls to a bidder over TLS', () => {
  let folder: string;
  let trusted: string;
  const bidders: RawBidder[] = [];
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bidder-tls-'));
    trusted = join(folder, 'ca.pem');
    writeFileSync(trusted, LOCAL_CERTIFICATE.cert);
  });
  after(() => rmSync(folder, { recursive: true }));
  afterEach(() => Promise.all(bidders.splice(0).map((bidder) => bidder.close())));

  const serve = async (server: Server) => {
    const resumed: boolean[] = [];
    const names: (string | false | null)[] = [];
    server.on('secureConnection', (socket: TLSSocket) => {
      resumed.push(socket.isSessionReused());
      names.push(socket.servername ?? null);
    });
    const bidder = await startRawBidder(
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
      server,
    );
    bidders.push(bidder);
    return { bidder, resumed, names, port: bidder.url.port };
  };
  const calls = async (job: TlsJob, trust = true): Promise<CallEnd[]> => {
    const child = fork(PROGRAM, { env: { ...process.env, ...(trust && { NODE_EXTRA_CA_CERTS: trusted }) } });
    child.send(job);
    const [ends] = await once(child, 'message');
    return ends as CallEnd[];
  };

  for (const client of ['sockets', 'undici'] as const) {
    it(`checks the certificate: ${client}`, async () => {
      const { bidder, port } = await serve(createServer(LOCAL_CERTIFICATE));
      const url = `https://localhost:${port}/bid`;
      expect((await calls({ client, url, calls: 1, apart: false }, false))[0]!.how).to.equal('failed');
      expect(bidder.requests).to.have.length(0);
      expect((await calls({ client, url, calls: 1, apart: false }))[0]).to.include({ how: 'complete', body: '{}' });
      const byAddress = await calls({ client, url: `https://127.0.0.1:${port}/bid`, calls: 1, apart: false });
      expect(byAddress[0]!.how).to.equal('complete');
      const otherName = await calls({ client, url: `https://[::ffff:127.0.0.1]:${port}/bid`, calls: 1, apart: false });
      expect(otherName[0]!.how, 'an address that the certificate does not name').to.equal('failed');
    });

    it(`names the host in the handshake, and keeps its connection: ${client}`, async () => {
      const { bidder, names, port } = await serve(createServer(LOCAL_CERTIFICATE));
      const ends = await calls({ client, url: `https://localhost:${port}/bid`, calls: 3, apart: false });
      expect(ends.map(({ how }) => how)).to.deep.equal(['complete', 'complete', 'complete']);
      expect(names).to.deep.equal(['localhost']);
      expect(bidder.requests).to.have.length(3);
    });
  }

  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    it(`resumes the session of the connection before: ${version}`, async () => {
      const limits = { minVersion: version, maxVersion: version };
      const { resumed, port } = await serve(createServer({ ...LOCAL_CERTIFICATE, ...limits }));
      const url = `https://localhost:${port}/bid`;
      const ends = await calls({ client: 'sockets', url, calls: 3, apart: true });
      expect(ends.map(({ how }) => how)).to.deep.equal(['complete', 'complete', 'complete']);
      expect(resumed).to.deep.equal([false, true, true]);
    });
  }

  it('begins a new session when the bidder has changed and refuses the old one', async () => {
    const shared = { ...LOCAL_CERTIFICATE, maxVersion: 'TLSv1.2', ticketKeys: randomBytes(48) } as const;
    const before = await serve(createServer(shared));
    const changed = { ...shared, secureOptions: NO_EXTENDED_MASTER_SECRET };
    const after = await serve(createServer(changed));
    let connections = 0;
    // The same address, behind which the first connection finds the bidder as it was.
    const front = createTcpServer((socket) => {
      const behind = connect(Number(connections++ === 0 ? before.port : after.port), '127.0.0.1');
      for (const each of [socket, behind]) each.on('error', () => undefined);
      socket.pipe(behind).pipe(socket);
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const url = `https://localhost:${(front.address() as AddressInfo).port}/bid`;
    const ends = await calls({ client: 'sockets', url, calls: 3, apart: true });
    front.close();
    expect(ends.map(({ how }) => how)).to.deep.equal(['complete', 'failed', 'complete']);
  });

  it('speaks HTTP/2 by undici where the bidder offers it', async () => {
    const server = createSecureServer({ ...LOCAL_CERTIFICATE, allowHTTP1: false });
    server.on('stream', (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/json' });
      stream.end('{"a":2}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://localhost:${(server.address() as AddressInfo).port}/bid`;
    try {
      const ends = await calls({ client: 'undici', url, calls: 2, apart: false });
      expect(ends.map(({ how, body }) => [how, body])).to.deep.equal([
        ['complete', '{"a":2}'],
        ['complete', '{"a":2}'],
      ]);
    } finally {
      server.close();
    }
  });
});

import dns from 'node:dns';
import { createServer as createTcpServer } from 'node:net';
import {
  createSecureContext,
  createServer,
  type SecureContext,
  type Server,
  type TLSSocket,
  type TlsOptions,
} from 'node:tls';
import { expect } from 'chai';
import { SocketChannels } from '#gateways/bidders/channels/socket-channels';
import { UndiciChannels } from '#gateways/bidders/channels/undici-channels';
import { type BidderCertificates, bidderContext } from '#gateways/bidders/tls/bidder-context';
import { systemClock } from '#runtime/providers/system/system-clock';
import { EXPIRED_CERTIFICATE, LOCAL_CERTIFICATE, OTHER_CERTIFICATE } from '#test/support/local-certificate';
import { type RawBidder, startRawBidder } from '../channels/raw-bidder.ts';
import { RecordedCall } from '../channels/recorded-call.ts';

const TRUSTING: BidderCertificates = { authorities: [LOCAL_CERTIFICATE.cert], own: null };
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

describe('connections to bidders with certificates of the settings', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  /** A bidder, and the connections over TLS that it got. */
  async function bidderOf(options: TlsOptions) {
    const server: Server = createServer(options);
    const sockets: TLSSocket[] = [];
    const resumed: boolean[] = [];
    server.on('secureConnection', (socket) => {
      sockets.push(socket);
      resumed.push(socket.isSessionReused());
    });
    const bidder: RawBidder = await startRawBidder((socket) => socket.write(ANSWER), server);
    closing.push(() => bidder.close());
    return { bidder, sockets, resumed, port: bidder.url.port };
  }

  function channelsTo(client: 'sockets' | 'undici', url: string, secureContext: SecureContext | null) {
    const options = {
      policy: { allowPrivateNetworks: true },
      connectTimeoutMs: 5_000,
      keepAliveMs: 4_000,
      ...(secureContext && { secureContext }),
    };
    const channels =
      client === 'sockets'
        ? new SocketChannels(new URL(url), [], options, systemClock)
        : new UndiciChannels(new URL(url), [], options);
    closing.push(() => channels.destroy());
    return channels;
  }

  /** How a call ended: `complete`, or why there was no connection. */
  async function asked(client: 'sockets' | 'undici', url: string, certificates: BidderCertificates | null) {
    const call = new RecordedCall();
    const channels = channelsTo(client, url, certificates && bidderContext(certificates));
    channels.take(systemClock.monotonic()).send(call, Buffer.from('{}'));
    const { how } = await call.ended;
    return how === 'failed' ? call.problem : how;
  }

  for (const client of ['sockets', 'undici'] as const) {
    it(`trust an authority of the settings, and none that nobody named: ${client}`, async () => {
      const { port } = await bidderOf(LOCAL_CERTIFICATE);
      const url = `https://localhost:${port}/bid`;
      expect(await asked(client, url, TRUSTING)).to.equal('complete');
      expect(await asked(client, url, null)).to.equal('certificate-untrusted');
      const another = { authorities: [OTHER_CERTIFICATE.cert], own: null };
      expect(await asked(client, url, another)).to.equal('certificate-untrusted');
    });

    it(`name what a certificate is refused for: ${client}`, async () => {
      const expired = await bidderOf(EXPIRED_CERTIFICATE);
      const trustingIt = { authorities: [EXPIRED_CERTIFICATE.cert], own: null };
      const url = `https://localhost:${expired.port}/bid`;
      expect(await asked(client, url, trustingIt)).to.equal('certificate-expired');
      const other = await bidderOf(OTHER_CERTIFICATE);
      const trustingOther = { authorities: [OTHER_CERTIFICATE.cert], own: null };
      const elsewhere = `https://localhost:${other.port}/bid`;
      expect(await asked(client, elsewhere, trustingOther)).to.equal('certificate-of-another-host');
    });

    it(`tell a server without TLS, and none at all, from a certificate: ${client}`, async () => {
      const plain = await startRawBidder(
        (socket) => socket.write(ANSWER),
        createTcpServer((socket) => socket.end('220 hello\r\n')),
      );
      closing.push(() => plain.close());
      expect(await asked(client, `https://localhost:${plain.url.port}/bid`, TRUSTING)).to.equal('tls-failed');
      const gone = await bidderOf(LOCAL_CERTIFICATE);
      await gone.bidder.close();
      closing.pop();
      expect(await asked(client, `https://localhost:${gone.port}/bid`, TRUSTING)).to.equal(null);
    });

    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      it(`show a certificate of ours to a bidder that asks for one: ${client}, ${version}`, async () => {
        const { sockets, port } = await bidderOf({
          ...LOCAL_CERTIFICATE,
          ...{ ca: OTHER_CERTIFICATE.cert, requestCert: true, rejectUnauthorized: true },
          ...{ minVersion: version, maxVersion: version },
        });
        const url = `https://localhost:${port}/bid`;
        const own = { certificate: OTHER_CERTIFICATE.cert, key: OTHER_CERTIFICATE.key };
        expect(await asked(client, url, { ...TRUSTING, own })).to.equal('complete');
        expect(sockets.map((socket) => socket.getPeerCertificate().subject.CN)).to.deep.equal(['other.test']);
        // Of TLS 1.2 it is the alert of any failed handshake.
        if (version === 'TLSv1.2') expect(await asked(client, url, TRUSTING)).to.equal('tls-failed');
        // Of TLS 1.3 it comes after the handshake: undici tells of a closed connection, and a reset may overtake it.
        const said = new Set<unknown>();
        for (let tries = 0; version === 'TLSv1.3' && tries < 10; tries++) said.add(await asked(client, url, TRUSTING));
        expect(said.has('client-certificate-refused')).to.equal(client === 'sockets' && version === 'TLSv1.3');
        expect(said.has('complete')).to.equal(false);
      });
    }
  }

  it('name the host, where several are at one address with a certificate each', async () => {
    const contexts: Readonly<Record<string, SecureContext>> = {
      localhost: createSecureContext(LOCAL_CERTIFICATE),
      'other.test': createSecureContext(OTHER_CERTIFICATE),
    };
    // Whoever names no host gets a certificate that nobody takes.
    const { sockets, resumed, port } = await bidderOf({
      ...EXPIRED_CERTIFICATE,
      SNICallback: (name, done) => done(null, contexts[name]),
    });
    const lookup = dns.lookup;
    const local = (_name: string, { all }: { all?: boolean }, done: (...found: unknown[]) => void) =>
      all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
    dns.lookup = local as unknown as typeof dns.lookup;
    try {
      const trusted = { authorities: [LOCAL_CERTIFICATE.cert, OTHER_CERTIFICATE.cert], own: null };
      for (const host of ['localhost', 'other.test', 'localhost']) {
        expect(await asked('sockets', `https://${host}:${port}/bid`, trusted), host).to.equal('complete');
      }
      expect(await asked('sockets', `https://bidder.test:${port}/bid`, trusted)).to.equal('certificate-expired');
    } finally {
      dns.lookup = lookup;
    }
    expect(sockets.map(({ servername }) => servername)).to.include.members(['localhost', 'other.test']);
    expect(resumed, 'each host has sessions of its own').not.to.include(true);
  });

  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    it(`resume sessions with it, after the bidder has closed them: ${version}`, async () => {
      const { bidder, sockets, resumed, port } = await bidderOf({
        ...LOCAL_CERTIFICATE,
        minVersion: version,
        maxVersion: version,
      });
      const channels = channelsTo('sockets', `https://localhost:${port}/bid`, bidderContext(TRUSTING));
      for (let round = 1; round <= 3; round++) {
        const call = new RecordedCall();
        const channel = channels.take(systemClock.monotonic());
        channel.send(call, Buffer.from('{}'));
        expect((await call.ended).how).to.equal('complete');
        sockets.at(-1)!.destroy();
        await bidder.waitForClosed(round);
        channel.abandon();
      }
      expect(resumed).to.deep.equal([false, true, true]);
    });
  }
});

import { isIP, type LookupFunction, type OnReadOpts } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import { AddressForbidden } from './address-guard.ts';
import { type FindAddresses, systemAddresses } from './name-lookups.ts';
import type { OwnEndpoints } from './own-endpoints.ts';
import { publicAddresses } from './public-addresses.ts';
import { undici } from './undici.ts';

/** The addresses that URLs set by accounts may lead to. */
export interface AddressPolicy {
  /** Whether loopback, private and link-local addresses are allowed. */
  readonly allowPrivateNetworks: boolean;
  /** Endpoints of the exchange itself, which are never allowed; absent: none. */
  readonly ownEndpoints?: OwnEndpoints;
}

/** What a caller sets for the socket itself. */
export interface SocketOptions {
  /** The memory that the socket is read into, and who is told of it. */
  readonly onread?: OnReadOpts;
  /** The TLS session that the connection resumes; by default the connector's latest one with that host. */
  readonly session?: Buffer;
  /** The authorities that are trusted and the certificate that is shown; by default Node's, and none. */
  readonly secureContext?: SecureContext;
  /** Whether HTTP/2 is offered to the other side, beside HTTP/1.1. */
  readonly allowH2?: boolean;
}

/**
 * Creates the connector of an HTTP client. It fails with AddressForbidden for addresses that the policy forbids, and
 * checks the addresses that the socket then connects to. The caller must refuse literals of private addresses itself
 * (`namesForbiddenAddress`), since they are never looked up; literals of our own endpoints are refused here.
 */
export function guardedConnect(
  policy: AddressPolicy,
  timeoutMs: number,
  socketOptions: SocketOptions = {},
): buildConnector.connector {
  const { allowPrivateNetworks, ownEndpoints } = policy;
  const find = allowPrivateNetworks ? systemAddresses : publicAddresses;
  // The types of the connector lack `onread` for TLS; node:tls hands it on to the socket.
  const options = { timeout: timeoutMs, ...socketOptions } as buildConnector.BuildOptions;
  let connector: buildConnector.connector | null = null;
  const connect: buildConnector.connector = (target, done) => {
    connector ??= undici().buildConnector({ ...options, lookup: lookupWith(find) });
    connector(target, done);
  };
  if (ownEndpoints === undefined) return connect;
  return (target, done) => {
    const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
    if (!ownEndpoints.hasPort(port)) {
      connect(target, done);
      return;
    }
    const { hostname } = target;
    const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
    if (isIP(host) === 0) {
      const lookup = lookupWith(foreignAddresses(ownEndpoints, port, find));
      undici().buildConnector({ ...options, lookup })(target, done);
      return;
    }
    ownEndpoints.include([host], port).then(
      (own) => (own ? done(forbidden(hostname, port), null) : connect(target, done)),
      (error) => done(error, null),
    );
  };
}

/** Finds the addresses of a name with `find`, and fails where one of them is an endpoint of our own. */
function foreignAddresses(ownEndpoints: OwnEndpoints, port: number, find: FindAddresses): FindAddresses {
  return async (hostname) => {
    const all = await find(hostname);
    const addresses = all.map(({ address }) => address);
    if (await ownEndpoints.include(addresses, port)) throw forbidden(hostname, port);
    return all;
  };
}

/** The `lookup` of a socket. No socket of ours wants addresses of one family alone. */
function lookupWith(find: FindAddresses): LookupFunction {
  return (hostname, { all }, done) => {
    find(hostname).then(
      (found) => {
        const [first] = found;
        if (all) done(null, [...found]);
        else done(null, first!.address, first!.family);
      },
      (error) => done(error, '', 0),
    );
  };
}

function forbidden(hostname: string, port: number): AddressForbidden {
  return new AddressForbidden(`${hostname}:${port} is an endpoint of the exchange itself`);
}

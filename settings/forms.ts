import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Network, parseNetwork } from '../edge/addresses/network-set.ts';
import { REGIONS, type Region, type RegionAddress } from '../exchange/region.ts';
import type { Form } from './declaration.ts';

/** A role of a process. */
export type Role = 'management' | 'edge' | 'actors' | 'scheduler';

export const ROLES: readonly Role[] = ['management', 'edge', 'actors', 'scheduler'];

/**
 * A comma list of roles. With an unknown name it answers all roles, so that no other check reports errors that follow
 * from it.
 */
export const roles: Form<ReadonlySet<Role>> = (given, _must, wrong) => {
  const names = given.split(',').map((part) => part.trim());
  const unknown = names.filter((one) => one !== 'all' && !ROLES.includes(one as Role));
  for (const one of unknown) wrong(`"${one}" is none of all, ${ROLES.join(', ')}`);
  if (unknown.length > 0 || names.includes('all')) return new Set(ROLES);
  return new Set(names as Role[]);
};

/**
 * Makes the form of a URL. `parts` answers the URLs of all hosts that one text names. The form answers null for a text
 * that is wrong.
 */
function url(protocols: readonly string[], parts: (given: string) => readonly string[]): Form<string | null> {
  return (given, must) => {
    const begins = protocols.some((protocol) => given.startsWith(`${protocol}://`));
    if (begins && parts(given).every((part) => URL.canParse(part))) return given.replace(/\/+$/, '');
    // The message does not show the value, since it may contain a password.
    must(`be a URL beginning with ${protocols.join(':// or ')}://`);
    return null;
  };
}

export const webUrl = url(['http', 'https'], (given) => [given]);

const PLAIN_URL = 'a URL beginning with http:// or https://, without a query, fragment or credentials';

/** Of a public address: paths are appended to it, and whoever is sold to reads it. */
export const plainWebUrl: Form<string | null> = (given, must) => {
  const plain = given.replace(/\/+$/, '');
  if (isPlainWebUrl(plain)) return plain;
  must(`be ${PLAIN_URL}`);
  return null;
};

/** Of a document: a file of the machine, or of the web. */
export const ratesUrl = url(['file', 'http', 'https'], (given) => [given]);
export const redisUrl = url(['redis', 'rediss', 'redis+sentinel', 'rediss+sentinel'], redisNodes);
export const mongodbUrl = url(['mongodb', 'mongodb+srv'], replicaSetMembers);

/** The servers of a Redis URL, each as a URL: nodes of a Redis Cluster, or Sentinels (see `parseRedisUrl`). */
export function redisNodes(given: string): string[] {
  if (/^rediss?\+sentinel:/.test(given)) {
    const [, hosts = ''] = /\/\/(?:.*@)?([^/@?]+)\/[^/?]/.exec(given) ?? [];
    return hosts.split(',').map((host) => `redis://${host.trim().replace(/(?<!:\d+)$/, ':26379')}`);
  }
  return given.split(',').map((node) => (node.includes('://') ? node.trim() : `redis://${node.trim()}`));
}

/** The members of a MongoDB URL that lists a replica set, each as a URL: `mongodb://a:27017,b:27017/database`. */
export function replicaSetMembers(given: string): string[] {
  const [, before, hosts, after] = /^([\w+]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(given) ?? [];
  return (hosts ?? '').split(',').map((host) => (host === '' ? '' : `${before}${host}${after}`));
}

/** A place for files: a folder of this machine, or the objects of a bucket whose names begin with a prefix. */
export type FilePlace = { readonly folder: string } | { readonly bucket: string; readonly prefix: string };

/** `file:///srv/data`, or `s3://bucket/prefix`; null for a text that is neither. */
export const filePlace: Form<FilePlace | null> = (given, must) => {
  const [, folder] = /^file:\/\/(\/[^?#]+)$/.exec(given) ?? [];
  if (folder !== undefined && URL.canParse(given)) return { folder: fileURLToPath(given) };
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^?#]*))?$/.exec(given) ?? [];
  if (bucket !== undefined) return { bucket, prefix: prefix.replace(/\/+$/, '') };
  must('be file:///<folder> or s3://<bucket>/<prefix>');
  return null;
};

/**
 * Where the edges of each region are: `fra=https://fra.ads.example,nyc=https://nyc.ads.example`. Each region and each
 * address is named once; a slash at an address's end is left out.
 */
export const regionAddresses: Form<RegionAddress[]> = (given, must) => {
  const named: RegionAddress[] = [];
  for (const pair of listed(given)) {
    const [, code = '', stated = ''] = /^([^=\s]+)\s*=\s*(\S+)$/.exec(pair) ?? [];
    const url = stated.replace(/\/+$/, '');
    if (!REGIONS.includes(code as Region)) {
      must(`be a list of region=URL, of the regions ${REGIONS.join(', ')}; "${pair}" is not`);
    } else if (!isPlainWebUrl(url)) {
      must(`give ${code} ${PLAIN_URL}`);
    } else if (named.some((one) => one.code === code || one.url === url)) {
      must(`name each region and each URL once; "${pair}" is the second of its kind`);
    } else named.push({ code: code as Region, url });
  }
  return named;
};

function isPlainWebUrl(text: string): boolean {
  // Of the text: a URL does not tell an empty query or fragment from none.
  return /^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/.test(text) && URL.canParse(text);
}

/** Words separated by white space. */
export const words: Form<string[]> = (given) => given.split(/\s+/).filter((one) => one !== '');

export const origins: Form<string[]> = (given, must) => {
  const all = listed(given).map((part) => part.replace(/\/$/, ''));
  for (const origin of all) {
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue;
    must(`list origins such as https://app.example.com; "${origin}" is none`);
  }
  return all;
};

/** An API key with a prefix. A longer key, or one with a space, could not be sent in a header. */
export function apiKey(prefix: string): Form<string | null> {
  return (given, must) => {
    if (given.startsWith(prefix) && /^[\x21-\x7e]{8,200}$/.test(given.slice(prefix.length))) return given;
    must(`begin with ${prefix} and have 8 to 200 visible ASCII characters after it, no spaces`);
    return null;
  };
}

/** A text that matches a pattern; `what` describes the pattern in the error message. */
export function matching(pattern: RegExp, what: (given: string) => string): Form<string> {
  return (given, must) => {
    if (!pattern.test(given)) must(what(given));
    return given;
  };
}

export const domain: Form<string> = (given, must) => {
  const name = given.toLowerCase();
  if (name.length > 253 || !/^(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(name)) {
    must(`be a domain such as exchange.example, not "${name}"`);
  }
  return name;
};

/**
 * An IP address of this machine. A host name is refused: it may resolve to another address later, and the port must not
 * move to a public one.
 */
export const address: Form<string> = (given, must) => {
  if (isIP(given) === 0) must(`be an IP address such as 127.0.0.1 or 0.0.0.0, not "${given}"`);
  return given;
};

/** A master secret has at least this many characters. */
export const MIN_SECRET_KEY_LENGTH = 32;

export const secretKey: Form<string> = (given, must) => {
  if (given.length < MIN_SECRET_KEY_LENGTH) must(`have at least ${MIN_SECRET_KEY_LENGTH} characters`);
  return given;
};

/** Master secrets, separated by commas or line ends. */
export const secretKeys: Form<string[]> = (given, must) => {
  const keys = listed(given.replaceAll('\n', ','));
  if (keys.some((key) => key.length < MIN_SECRET_KEY_LENGTH)) {
    must(`list keys that each have at least ${MIN_SECRET_KEY_LENGTH} characters`);
  }
  return keys;
};

/**
 * Identifiers of the exchange in sellers.json, each with its value: `TAG-ID=abc,DUNS=123`. `TAG-ID` is that of the
 * Trustworthy Accountability Group.
 */
export const identifiers: Form<{ readonly name: string; readonly value: string }[]> = (given, must) =>
  listed(given).flatMap((pair) => {
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (name.trim() !== '' && value.trim() !== '') return [{ name: name.trim(), value: value.trim() }];
    must(`be name=value, separated by commas; "${pair}" is not`);
    return [];
  });

/** Networks in CIDR notation: `203.0.113.0/24,2001:db8::/32`. */
export const networks: Form<Network[]> = (given, must) =>
  listed(given).flatMap((stated) => {
    const network = parseNetwork(stated);
    if (network !== null) return [network];
    must(`list networks such as 203.0.113.0/24 or 2001:db8::/32; "${stated}" is none`);
    return [];
  });

/** IAB content categories: `IAB7-39,IAB9-9`. */
export const categories: Form<string[]> = (given, must) =>
  listed(given).flatMap((stated) => {
    const category = stated.toUpperCase();
    if (/^IAB\d{1,2}(?:-\d{1,2})?$/.test(category)) return [category];
    must(`list IAB content categories such as IAB7-39; "${stated}" is none`);
    return [];
  });

function listed(given: string): string[] {
  const parts = given.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

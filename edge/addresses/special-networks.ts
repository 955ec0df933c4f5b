/**
 * IANA's registries of special-purpose addresses: those that are not globally reachable or that lead to other
 * addresses.
 */
export const SPECIAL_V4_NETWORKS = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

export const SPECIAL_V6_NETWORKS = [
  // Protocol assignments; among them Teredo, which contains a v4 address, as 6to4 does.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

/** The part of IPv6 that is allocated for use across the Internet. */
export const GLOBAL_V6_NETWORK = ['2000::', 3] as const;

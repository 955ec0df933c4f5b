import type { Device } from '../../exchange/openrtb/fields/device.ts';

/** What platforms answer to apps that may not know the advertising id. */
const WITHHELD = /^0[0-]*$/;

/** Hashes of ids that OpenRTB 2.5 knows, §3.2.18. */
const HASHED = ['didsha1', 'didmd5', 'dpidsha1', 'dpidmd5', 'macsha1', 'macmd5'] as const;

/** The id that names a device and no other, or null. */
export function deviceIdOf(device: Device): string | null {
  if (device.ifa) return WITHHELD.test(device.ifa) ? null : device.ifa;
  const stated = device as Readonly<Record<string, unknown>>;
  for (const name of HASHED) {
    const id = stated[name];
    if (typeof id === 'string' && id !== '') return id;
  }
  return null;
}

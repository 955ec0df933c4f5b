import type { Device } from '../../exchange/openrtb/fields/device.ts';
import { namesOneDevice } from '../viewer/names-one-device.ts';

/** Fields of hashed ids in OpenRTB 2.5, §3.2.18. */
const HASHED = ['didsha1', 'didmd5', 'dpidsha1', 'dpidmd5', 'macsha1', 'macmd5'] as const;

/** An id that names one device only, or null. */
export function deviceIdOf(device: Device): string | null {
  if (device.ifa) return namesOneDevice(device.ifa) ? device.ifa : null;
  const stated = device as Readonly<Record<string, unknown>>;
  for (const name of HASHED) {
    const id = stated[name];
    if (typeof id === 'string' && namesOneDevice(id)) return id;
  }
  return null;
}

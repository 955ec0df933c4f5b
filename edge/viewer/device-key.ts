import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Device } from '../../exchange/openrtb/fields/device.ts';

/** 128 bits of HMAC-SHA-256, in base64url. */
const KEY_LENGTH = 22;

/** Platforms send this where the user has limited tracking: zeros, in any grouping. */
const NO_IFA = /^[0-]*$/;

/**
 * Makes keys of devices from which nothing about the device can be read. They are keyed by SECRET_KEY, so that no other
 * party can try addresses out.
 */
export class DeviceKeys {
  readonly #key: KeyObject;

  constructor(secretKey: string) {
    this.#key = createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, '', 'viewer/device/1', 32)));
  }

  /**
   * The device's key: from its advertising id, else from the browser's own cookie, else from address and user agent,
   * when both are known.
   */
  keyOf(device: Device | undefined, userId: string | null): string | null {
    const { ifa, ua, ip, ipv6 } = device ?? {};
    if (ifa && !NO_IFA.test(ifa)) return this.#sign(`ifa ${ifa.toLowerCase()}`);
    if (userId !== null) return this.#sign(`user ${userId}`);
    const address = ip || ipv6;
    return address && ua ? this.#sign(`at ${address} ${ua}`) : null;
  }

  #sign(what: string): string {
    return createHmac('sha256', this.#key).update(what).digest('base64url').slice(0, KEY_LENGTH);
  }
}

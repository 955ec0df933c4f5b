import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Device } from '../../exchange/openrtb/fields/device.ts';
import { namesOneDevice } from './names-one-device.ts';

/** 128 bits of HMAC-SHA-256, in base64url. */
const KEY_LENGTH = 22;

/**
 * Makes keys of devices from which nothing about the device can be read. They are keyed by SECRET_KEY, so that no other
 * party can try ids out.
 */
export class DeviceKeys {
  readonly #key: KeyObject;

  constructor(secretKey: string) {
    this.#key = createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, '', 'viewer/device/1', 32)));
  }

  /**
   * The device's key: from its advertising id, else from the browser's own cookie. Null without either: an address and
   * a user agent are shared by many devices, and a campaign with a frequency cap does not bid (readings, "Frequency
   * cap").
   */
  keyOf(device: Device | undefined, userId: string | null): string | null {
    const { ifa } = device ?? {};
    if (ifa && namesOneDevice(ifa)) return this.#sign(`ifa ${ifa.toLowerCase()}`);
    return userId === null ? null : this.#sign(`user ${userId}`);
  }

  #sign(what: string): string {
    return createHmac('sha256', this.#key).update(what).digest('base64url').slice(0, KEY_LENGTH);
  }
}

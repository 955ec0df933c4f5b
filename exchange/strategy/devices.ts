/**
 * Device types by the words that targeting knows (AdCOM, list "Device Types"). Type 1 is a phone or a tablet: mobile.
 */
const byName: Readonly<Record<string, readonly number[]>> = {
  mobile: [1, 4],
  tablet: [5],
  desktop: [2],
  ctv: [3, 6, 7],
};

export const DEVICE_NAMES: readonly string[] = Object.keys(byName);

/** The device types that an entry of `targeting.devices` names; null when it names none. */
export function deviceTypesOf(entry: string): readonly number[] | null {
  const name = entry.trim().toLowerCase();
  if (Object.hasOwn(byName, name)) return byName[name]!;
  return /^[1-9]\d{0,2}$/.test(name) ? [Number(name)] : null;
}

const TELEVISIONS: readonly unknown[] = byName.ctv!;

/** Whether the device is a television: by its type or, where the request does not say it, by the publisher's type. */
export function isTelevision(deviceType: number | undefined, publisherType: 'web' | 'mobile' | 'ctv'): boolean {
  return deviceType === undefined ? publisherType === 'ctv' : TELEVISIONS.includes(deviceType);
}

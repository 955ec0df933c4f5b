import type { Networks } from '../edge/addresses/network-set.ts';
import type { InvalidTrafficSettings } from '../edge/invalid-traffic/settings.ts';
import { DEFAULT_SCREENING_SETTINGS, type ScreeningSettings } from '../edge/screening/settings.ts';
import type { Settings } from '../settings.ts';

/** What impressions are judged by: the same networks that ad requests are screened by. */
export function invalidTrafficSettings(
  { maxImpressionsPerSecondPerAddress }: Settings,
  { allowPrivateNetworks, blockedNetworks }: ScreeningSettings,
): InvalidTrafficSettings {
  return { allowPrivateNetworks, blockedNetworks, maxImpressionsPerSecondPerAddress };
}

export function screeningSettings(settings: Settings, blockedNetworks: Networks): ScreeningSettings {
  const { allowPrivateNetworks, replayWindowMs } = settings;
  const { maxRequestsPerSecondPerAddress, maxRequestsPerSecondPerDevice } = settings;
  const { maxKeylessRequestsPerSecondPerAddress } = settings;
  return {
    ...DEFAULT_SCREENING_SETTINGS,
    allowPrivateNetworks,
    blockedNetworks,
    maxRequestsPerSecondPerAddress,
    maxRequestsPerSecondPerDevice,
    maxKeylessRequestsPerSecondPerAddress,
    replayWindowMs,
  };
}

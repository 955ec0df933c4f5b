import { startWarnings } from '#composition/start-warnings';
import type { Check } from '../check.ts';
import { ok, warn } from '../finding.ts';

const UNSAFE = 'a start is not refused, but it is unsafe when strangers reach the exchange';

/** What is allowed and unsafe; settings that are wrong never come here. */
export const settingsCheck: Check = {
  name: 'settings',
  async find(settings) {
    const warnings = startWarnings(settings).map((warning) => {
      const cut = warning.lastIndexOf(': set ');
      return cut < 0
        ? warn(warning, UNSAFE, 'see docs/settings.md')
        : warn(warning.slice(0, cut), UNSAFE, warning.slice(cut + 2));
    });
    if (settings.mongodbUrl !== null && !settings.publicBaseUrl.startsWith('https:')) {
      const found = `PUBLIC_BASE_URL is ${settings.publicBaseUrl}`;
      const means = 'cookies of sessions are not Secure, and whoever is on the way reads passwords';
      warnings.push(warn(found, means, 'put the API behind TLS and set PUBLIC_BASE_URL=https://…'));
    }
    const { given, redisUrl, mongodbUrl } = settings;
    const providers = `log ${redisUrl === null ? 'embedded' : 'on Redis'}, store ${mongodbUrl === null ? 'embedded' : 'on MongoDB'}`;
    return [ok(`${given.size} settings are given; ${providers}`), ...warnings];
  },
};

import { readFileSync } from 'node:fs';
import type { ActorDocument } from '../../../runtime/ports/store.ts';

/**
 * What release 0.2.0 left behind, as it was stored: a delegate whose strategy has creatives of every kind, one of them of a URL
 * that leads to nothing, and a campaign of the Campaign API. That release fetched nothing, and its campaigns did not bid.
 */
export interface CampaignsLeft {
  readonly ids: Readonly<Record<'pool' | 'site' | 'delegate' | 'bidder' | 'campaign', string>>;
  readonly documents: readonly ActorDocument[];
}

/** The settings that it ran with. */
export const secondRelease = {
  PARTITIONS: '8',
  SECRET_KEY: 'the secret key of the second release of all',
  BOOTSTRAP_API_KEY: 'pk_live_of_the_second_release',
  BOOTSTRAP_SANDBOX_API_KEY: 'pk_sandbox_of_the_second_release',
} as const;

/** With creatives at `origin`: `banner.png`, `vast.xml`, `jingle.mp3`, `gone.png`. */
export function campaignsLeft(origin: string): CampaignsLeft {
  const text = readFileSync(new URL('second-release.json', import.meta.url), 'utf8');
  return JSON.parse(text.replaceAll('http://origin.example', origin));
}

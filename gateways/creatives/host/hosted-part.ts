import { CREATIVES_URL_PLACEHOLDER } from '#exchange/creative/creative-template';
import type { HostedMarkup } from '#exchange/creative/hosted-markup';

/** Markup whose media are hosted, and the files that it refers to. */
export interface HostedPart extends Pick<HostedMarkup, 'markup' | 'vastVersion'> {
  readonly files: readonly string[];
}

/** Where hosted markup has a hosted file. */
export function hostedAddress(path: string): string {
  return CREATIVES_URL_PLACEHOLDER + path;
}

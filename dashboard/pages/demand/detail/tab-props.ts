import type { components } from '../../../api/generated.d.ts';

/** What each tab of a demand source's page is given. */
export interface TabProps {
  readonly source: components['schemas']['DemandSource'];
  /** Of the version of the source that is shown. */
  readonly etag: string | null;
}

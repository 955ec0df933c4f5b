import type { Settings } from '../../settings.ts';
import type { Finding } from './finding.ts';

/** One thing that `exchange doctor` looks at; what it throws is a failure of it. */
export interface Check {
  /** The word for it in tables and in JSON. */
  readonly name: string;
  readonly find: (settings: Settings) => Promise<readonly Finding[]>;
}

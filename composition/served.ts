import type { FirstCredentials } from './first-credentials.ts';

/** What the roles of an exchange serve. */
export interface Served {
  /** Null for a role that it does not have. */
  readonly port: number | null;
  readonly edgePort: number | null;
  /** The first credentials; null when there are none that their owner has not seen. */
  readonly firstCredentials: FirstCredentials | null;
}

/** What is announced of it. */
export interface Announced extends Served {
  /** Null of a process whose supervisor has that port. */
  readonly opsPort: number | null;
}

/** Who an attack comes from; see docs/security.md, "Actors". */
export type Actor =
  | 'keyless caller'
  | 'publisher'
  | 'sandbox key'
  | 'account key'
  | 'bidder'
  | 'delegate'
  | "viewer's page"
  | 'partner'
  | 'operator'
  | 'co-located process'
  | 'reader of a backup';

/** The test that shows a row: a file below `test/` and a title in it, whole and literal. */
export interface Proof {
  readonly file: string;
  readonly title: string;
}

/** One attack that was reproduced, and what it comes to now. */
export interface Attack extends Proof {
  readonly by: Actor;
  /** What the attacker does, with the figures that were tried. */
  readonly attack: string;
  /** What happens instead, with the bound. */
  readonly outcome: string;
}

/** What one request, caller, account, … may take of a resource. */
export interface ResourceBudget extends Proof {
  readonly of: 'request' | 'caller' | 'publisher' | 'account' | 'bidder' | 'exchange';
  readonly resource: 'CPU' | 'memory' | 'bytes' | 'sockets' | 'disk' | 'budget' | 'entries';
  /** The bound, its unit, and the setting that changes it, if there is one. */
  readonly bound: string;
}

/** What each file in `rows/` exports as `rows`. */
export interface SecurityRows {
  readonly attacks?: readonly Attack[];
  readonly budgets?: readonly ResourceBudget[];
}

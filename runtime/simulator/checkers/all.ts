import type { Checker } from './checker.ts';
import { conservation } from './conservation.ts';
import { deadLetters } from './dead-letters.ts';
import { exactlyOnce } from './exactly-once.ts';
import { senderOrder } from './order.ts';
import { quarantine } from './quarantine.ts';
import { replies } from './replies.ts';
import { counts } from './totals.ts';

/** The checkers that run once the cluster is at rest. */
export const CHECKERS: readonly Checker[] = [
  exactlyOnce,
  conservation,
  senderOrder,
  replies,
  counts,
  deadLetters,
  quarantine,
];

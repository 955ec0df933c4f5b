import Type, { type Static } from 'typebox';
import { Nullable } from '#actors/api-schemas';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';

const ATTENTION_KINDS = [
  'bidder-connection',
  'breaker-open',
  'bidder-timeouts',
  'budget-nearly-spent',
  'campaign-paused-by-budget',
  'ads-txt-failed',
  'publisher-without-pool',
  'pool-without-demand',
  'creative-warning',
  'creative-reported',
  'creative-flagged',
  'webhook-disabled',
  'quota-nearly-reached',
  'dead-letters-waiting',
  'job-failing',
  'job-late',
  'audit-difference',
  'books-behind',
] as const;

/** A matter that needs the attention of a person. */
export const AttentionItem = Type.Object(
  {
    kind: Type.Enum([...ATTENTION_KINDS]),
    severity: Type.Enum(['critical', 'warning', 'notice'], {
      description:
        '`critical`: money or traffic is lost now. `warning`: it soon may be. `notice`: something is not finished.',
    }),
    subject: Type.Union(
      [
        Type.Object({
          type: Type.Enum(['publisher', 'dsp', 'pool', 'campaign', 'creative', 'webhook', 'job'], {
            description: 'What it is.',
          }),
          id: Type.String({ description: 'Its id.' }),
          name: Type.String({ description: 'What people call it.' }),
        }),
        Type.Null(),
      ],
      { description: 'What it is about; null where it is about the exchange as a whole.' },
    ),
    since: Nullable(Type.String({ format: 'date-time', description: 'Null where nobody knows.' })),
    message: Type.String({ description: 'What is wrong, in a sentence.' }),
    remedy: Type.String({ description: 'What to do about it.' }),
  },
  { title: 'Matter' },
);
export type AttentionItem = Static<typeof AttentionItem>;

export interface AttentionContext {
  readonly parts: ManagementDeps;
  readonly caller: Caller;
  readonly nowMs: number;
}

/**
 * A check that finds the matters of its kinds. Of more than {@link MAX_SOURCES_CHECKED} sources it checks those that
 * changed last.
 */
export type AttentionCheck = (context: AttentionContext) => Promise<readonly AttentionItem[]>;

export const MAX_SOURCES_CHECKED = 1_000;

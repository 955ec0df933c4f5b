import Type, { type Static } from 'typebox';
import { Campaign } from './campaign.ts';
import { Cpm } from './fields.ts';
import { Rule } from './rule.ts';

/**
 * The largest body of a strategy, in bytes after decompression. It is stored as text, and as messages to its campaigns
 * that a store may write at 2.5 times their length: both stay well below the 16 MB of a MongoDB document.
 */
export const MAX_STRATEGY_BYTES = 3_145_728;

/** The delegate strategy (specification, "Delegate strategy (JSON document)"), version 1.0. */
export const Strategy = Type.Object(
  {
    version: Type.Literal('1.0', { description: 'Of this form of document.' }),
    dsp_id: Type.String({ format: 'uuid', description: 'The demand source it is for.' }),
    default_bid: Cpm('USD CPM that campaigns bid where neither a rule nor `base_cpm` says a price; 0: none.'),
    campaigns: Type.Array(Campaign, { maxItems: 2000, description: 'At most 2,000.' }),
    rules: Type.Array(Rule, {
      maxItems: 20_000,
      description:
        'At most 20,000, and 1,000 of one campaign, with 5,000 conditions; each entry of a list counted, 20,000 values of one campaign and 200,000 in all; 2,000 different conditions that compare or search. A campaign with rules bids when one matches; one without, on its targeting alone.',
    }),
  },
  {
    additionalProperties: false,
    description:
      'What a buyer leaves with the exchange to bid by. At most 3 MiB as JSON. A new one replaces what the last one brought; a campaign paused by hand stays paused.',
  },
);
export type Strategy = Static<typeof Strategy>;

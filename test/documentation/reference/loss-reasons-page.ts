import { explainLoss, explainNoBid, explainReason, REASONS } from '#exchange/auction/explain-reason';
import { LOSS_REASONS, type LossReason, NO_BID_REASONS, type NoBidReason } from '#exchange/auction/loss-reason';
import { remedyOf } from '#exchange/auction/reason-remedies';
import { BLOCK_REASONS } from '#exchange/fraud/block-reason';
import { table } from '../table.ts';

const code = (name: string) => `\`${name}\``;

/** docs/reference/loss-reasons.md. */
export function lossReasonsPage(): string {
  const losses = Object.keys(LOSS_REASONS).map((reason) => {
    const { words, lossCode, nonBidStatus } = explainLoss(reason as LossReason);
    return [code(reason), String(lossCode), String(nonBidStatus), words, remedyOf(reason) ?? ''];
  });
  const silences = Object.keys(NO_BID_REASONS).map((reason) => {
    const { words, nonBidStatus } = explainNoBid(reason as NoBidReason);
    return [code(reason), String(nonBidStatus), words, remedyOf(reason) ?? ''];
  });
  const blocked = Object.keys(BLOCK_REASONS);
  const simple = (reason: string) => [code(reason), explainReason(reason).words, remedyOf(reason) ?? ''];
  const others = REASONS.filter(
    (reason) => !(reason in LOSS_REASONS || reason in NO_BID_REASONS || blocked.includes(reason)),
  );
  return `# Why nothing was sold: the reasons

<!-- Made by \`npm run reference\` of exchange/auction/loss-reason.ts, explain-reason.ts and reason-remedies.ts: change those, not this page. -->

Every bid that did not win, every demand source without a bid, and every request that was refused or not filled has exactly one reason, by one of
these names. They are the same in the dashboard's explorer, in \`GET /api/auctions\`, \`GET /api/auctions/reasons\`, in webhooks, in the
sandbox's \`X-No-Fill-Reason\` and in metrics. [The explorer](../explorer.md) counts them and shows single auctions.

## A bid that lost

**Code** is OpenRTB's loss reason, which a bidder gets as \`\${AUCTION_LOSS}\` in its \`lurl\`. **Status** is that of the IAB's seat-non-bid.

${table(['reason', 'code', 'status', 'what happened', 'what would change it'], losses)}

## A demand source without a bid

${table(['reason', 'status', 'what happened', 'what would change it'], silences)}

## A request that was refused: 403

${table(['reason', 'what its caller is told', 'what would change it'], blocked.map(simple))}

## A request that nobody could fill

${table(['reason', 'what happened', 'what would change it'], others.map(simple))}
`;
}

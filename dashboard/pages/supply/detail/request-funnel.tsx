import { BarList } from '../../../kit/bar-list.tsx';

interface RequestFunnelProps {
  readonly of: {
    readonly requests: number;
    readonly auctions: number;
    readonly imps: number;
    readonly filled: number;
    readonly rendered: number;
    readonly caller_timeouts: number;
  };
}

/**
 * Where a publisher's ad requests, and the imps in them, went; answers that came too late for the page where there are
 * some. An impression has no share: several ads of a pod are in one imp.
 */
export function RequestFunnel({
  of: { requests, auctions, imps, filled, rendered, caller_timeouts: late },
}: RequestFunnelProps) {
  const tooLate = {
    id: 'caller-timeouts',
    label: 'Too late for the page',
    count: late,
    tone: 'bad',
    of: imps,
    hint: 'Imps whose answer the page did not wait for, as its Prebid.js reports',
  } as const;
  return (
    <BarList
      label="Steps from request to impression"
      inOrder
      of={Math.max(1, requests)}
      bars={[
        { id: 'requests', label: 'Requests', count: requests },
        { id: 'auctions', label: 'Auctions', count: auctions, hint: 'Requests that were not turned away' },
        { id: 'imps', label: 'Imps', count: imps, of: null, hint: 'Places for an ad: a request may have several' },
        { id: 'filled', label: 'Filled', count: filled, of: imps, tone: 'good', hint: 'Imps answered with an ad' },
        { id: 'rendered', label: 'Shown', count: rendered, of: null, tone: 'good', hint: 'Billed impressions' },
        ...(late > 0 ? [tooLate] : []),
      ]}
    />
  );
}

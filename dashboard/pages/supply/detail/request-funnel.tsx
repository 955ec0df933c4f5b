import { BarList } from '../../../kit/bar-list.tsx';

interface RequestFunnelProps {
  readonly of: {
    readonly requests: number;
    readonly auctions: number;
    readonly filled: number;
    readonly rendered: number;
    readonly caller_timeouts: number;
  };
}

/** Where a publisher's ad requests went; answers that came too late for the page where there are some. */
export function RequestFunnel({
  of: { requests, auctions, filled, rendered, caller_timeouts: late },
}: RequestFunnelProps) {
  const tooLate = {
    id: 'caller-timeouts',
    label: 'Too late for the page',
    count: late,
    tone: 'bad',
    hint: 'Imps whose answer the page did not wait for, as its Prebid.js reports',
  } as const;
  return (
    <BarList
      label="Steps from request to impression"
      of={Math.max(1, requests)}
      bars={[
        { id: 'requests', label: 'Requests', count: requests },
        { id: 'auctions', label: 'Auctions', count: auctions, hint: 'Requests that were not turned away' },
        { id: 'filled', label: 'Filled', count: filled, tone: 'good', hint: 'Answered with an ad' },
        { id: 'rendered', label: 'Shown', count: rendered, tone: 'good', hint: 'Billed impressions' },
        ...(late > 0 ? [tooLate] : []),
      ]}
    />
  );
}

import type { TabProps } from './tab-props.ts';
import { TestBid } from './test-bid.tsx';

export default function TestBidTab({ source }: TabProps) {
  return <TestBid source={source} />;
}

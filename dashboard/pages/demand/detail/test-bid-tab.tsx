import type { TabProps } from '../demand-source-page.tsx';
import { TestBid } from './test-bid.tsx';

export default function TestBidTab({ source }: TabProps) {
  return <TestBid source={source} />;
}

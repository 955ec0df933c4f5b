import type { TabProps } from '../demand-source-page.tsx';
import { StrategyPanel } from '../strategy/strategy-panel.tsx';

export default function StrategyTab({ source }: TabProps) {
  return <StrategyPanel sourceId={source.id} />;
}

import { StrategyPanel } from '../strategy/strategy-panel.tsx';
import type { TabProps } from './tab-props.ts';

export default function StrategyTab({ source }: TabProps) {
  return <StrategyPanel sourceId={source.id} />;
}

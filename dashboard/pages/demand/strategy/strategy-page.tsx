import { useParams } from '@tanstack/react-router';
import { useAnswer } from '../../../api/queries.ts';
import { Page } from '../../../kit/page.tsx';
import { StrategyPanel } from './strategy-panel.tsx';

/** The strategy of one delegate, in the whole width. */
export function StrategyPage() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  const source = useAnswer('/api/demand/sources/{id}', { params: { path: { id } } });
  const path = `/api/demand/sources/${id}/strategy`;
  return (
    <Page
      title={source.body === undefined ? 'Strategy' : `Strategy of ${source.body.name}`}
      parent={{ to: `/demand/${id}`, label: source.body?.name ?? 'Demand source' }}
      calls={[{ path }, { path: '/api/schemas/strategy.json' }, { method: 'POST', path: `${path}/backtest`, body: {} }]}
    >
      <StrategyPanel sourceId={id} />
    </Page>
  );
}

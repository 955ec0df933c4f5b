import { Skeleton } from '@mantine/core';
import { ApiFault } from '../../../api/fault.ts';
import { useAnswer } from '../../../api/queries.ts';
import { useDataContext } from '../../../app/data-context.ts';
import { Empty, Failed } from '../../../kit/answered.tsx';
import { Workbench } from './workbench.tsx';

/** A delegate's strategy: written, tried on a request and on recorded auctions, and saved. */
export function StrategyPanel({ sourceId }: { readonly sourceId: string }) {
  const params = { path: { id: sourceId } };
  const { sandbox, partner } = useDataContext();
  const source = useAnswer('/api/demand/sources/{id}', { params });
  const isDelegate = source.body?.mode === 'delegate';
  const saved = useAnswer('/api/demand/sources/{id}/strategy', { params }, { enabled: isDelegate });
  const schema = useAnswer('/api/schemas/strategy.json', undefined, { enabled: isDelegate });

  if (source.body === undefined) {
    if (source.error !== null) return <Failed error={source.error} again={source.refetch} busy={source.isFetching} />;
    return <Skeleton height={320} role="group" aria-label="Loading" aria-busy="true" />;
  }
  if (!isDelegate) {
    return (
      <Empty title="This demand source has no strategy">
        It bids by itself, at its own endpoint. A delegate leaves a strategy here, by which the exchange bids for it.
      </Empty>
    );
  }
  const none = saved.error instanceof ApiFault && saved.error.status === 404;
  if (saved.body === undefined && saved.error !== null && !none) {
    return <Failed error={saved.error} again={saved.refetch} busy={saved.isFetching} />;
  }
  if ((saved.body === undefined && !none) || schema.isPending) {
    return <Skeleton height={320} role="group" aria-label="Loading" aria-busy="true" />;
  }
  return (
    <Workbench
      key={`${sourceId} ${sandbox} ${partner}`}
      source={source.body}
      saved={saved.body ?? null}
      etag={saved.etag}
      // Without it one writes all the same, without being helped.
      schema={schema.body ?? null}
      reload={saved.refetch}
    />
  );
}

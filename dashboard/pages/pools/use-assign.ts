import { useChange } from '../../api/queries.ts';
import { tellDone, tellFault } from '../../kit/tell.ts';

/** Puts publishers into a pool, one after the other; says what went wrong, and answers which of them could not be. */
export function useAssign() {
  const assign = useChange('put', '/api/supply/pools/{pool_id}/assign', { touches: ['/api/supply', '/api/attention'] });
  return {
    isPending: assign.isPending,
    async assign(pool: { readonly id: string; readonly name: string }, publisherIds: readonly string[]) {
      const failed: string[] = [];
      for (const publisherId of publisherIds) {
        try {
          await assign.mutateAsync({ params: { path: { pool_id: pool.id } }, body: { publisher_id: publisherId } });
        } catch (error) {
          failed.push(publisherId);
          tellFault(error);
        }
      }
      const done = publisherIds.length - failed.length;
      if (done > 0)
        tellDone(done === 1 ? `Assigned to ${pool.name}.` : `${done} publishers are assigned to ${pool.name}.`);
      return failed;
    },
  };
}

import { useState } from 'react';
import type { components } from '../../../api/generated.d.ts';
import { useChange } from '../../../api/queries.ts';

type CreateRequest = components['schemas']['CreateDemandSourceRequest'];

/** What is being done for a new source. */
type Step = 'source' | 'pools' | 'key';

export const STEP_WORDS: Readonly<Record<Step, string>> = {
  source: 'Creating …',
  pools: 'Subscribing to pools …',
  key: 'Making its key …',
};

/**
 * Creates a source, subscribes it to pools and makes its key. When the source is there and the rest fails, it stays:
 * what did not work comes back with it, to be done on its page.
 */
export function useCreateSource() {
  const touches = ['/api/demand', '/api/supply/pools'];
  const create = useChange('post', '/api/demand/sources', { touches });
  const subscribe = useChange('post', '/api/demand/sources/{id}/pools/{pool_id}', { touches });
  const makeKey = useChange('post', '/api/demand/sources/{id}/key', { touches });
  const [step, setStep] = useState<Step | null>(null);

  const run = async (body: CreateRequest, pools: readonly string[]) => {
    try {
      setStep('source');
      const { id } = (await create.mutateAsync({ body })).body;
      const undone: string[] = [];
      setStep('pools');
      for (const pool_id of pools) {
        await subscribe.mutateAsync({ params: { path: { id, pool_id } } }).catch((error) => {
          undone.push(`It is not subscribed to a pool that you chose: ${messageOf(error)}`);
        });
      }
      setStep('key');
      await makeKey.mutateAsync({ params: { path: { id } } }).catch((error) => {
        undone.push(`It has no key yet: ${messageOf(error)}`);
      });
      return { id, undone };
    } finally {
      setStep(null);
    }
  };
  return { run, step };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

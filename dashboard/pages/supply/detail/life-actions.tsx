import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../../api/queries.ts';
import { confirm } from '../../../kit/confirm.tsx';
import { tellDone, tellFault } from '../../../kit/tell.ts';
import { useConflict } from '../../../kit/use-conflict.tsx';
import type { Publisher } from '../publisher.ts';

interface LifeActionsProps {
  readonly publisher: Publisher;
  /** Of the version that is shown. */
  readonly etag: string | null;
}

/** From the sandbox to live, and to the archive. */
export function LifeActions({ publisher: { id, name, status }, etag }: LifeActionsProps) {
  const path = { params: { path: { id } } };
  const navigate = useNavigate();
  const conflict = useConflict();
  // The page goes to the other context before the answers of this one are asked again.
  const change = useChange('patch', '/api/supply/sources/{id}', { touches: [] });
  const remove = useChange('delete', '/api/supply/sources/{id}', { touches: ['/api/supply', '/api/overview'] });

  const goLive = async (version: string | null): Promise<void> => {
    try {
      await change.mutateAsync({ ...path, body: { sandbox: false }, etag: version });
      tellDone(`${name} is live.`);
      await navigate({
        to: '/supply/$id',
        params: { id },
        search: { sandbox: undefined, tab: 'integration' } as never,
      });
    } catch (error) {
      if (!conflict(error, { overwrite: () => goLive(null), reload: () => undefined })) tellFault(error);
    }
  };
  const archive = async (version: string | null): Promise<void> => {
    try {
      await remove.mutateAsync({ ...path, etag: version });
      tellDone(`${name} is archived.`);
      await navigate({ to: '/supply' });
    } catch (error) {
      if (!conflict(error, { overwrite: () => archive(null), reload: () => undefined })) tellFault(error);
    }
  };

  return (
    <>
      {status === 'sandbox' && (
        <Button
          size="xs"
          variant="default"
          onClick={() =>
            confirm({
              title: `Make ${name} live?`,
              what: `${name} leaves the sandbox: it is not seen there any more, its ad requests are sold to the demand of its pool, and what is shown is billed.`,
              label: 'Make it live',
              run: () => goLive(etag),
            })
          }
        >
          Make it live
        </Button>
      )}
      {status !== 'archived' && (
        <Button
          size="xs"
          variant="light"
          color="red"
          onClick={() =>
            confirm({
              title: `Archive ${name}?`,
              what: `Ad requests of ${name} are answered 403 from now on, for good: this cannot be undone. Its figures and statements stay, and what was sold is still billed.`,
              label: 'Archive',
              danger: true,
              run: () => archive(etag),
            })
          }
        >
          Archive
        </Button>
      )}
    </>
  );
}

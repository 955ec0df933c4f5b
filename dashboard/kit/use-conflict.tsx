import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ApiFault } from '../api/fault.ts';
import { openConfirm } from './open-confirm.ts';

/**
 * For a change that was refused because another user changed the same in between (412): says so, and lets the reader
 * choose. True when that was the fault.
 */
export function useConflict() {
  const client = useQueryClient();
  return (
    fault: unknown,
    { overwrite, reload }: { readonly overwrite: () => unknown; readonly reload: () => unknown },
  ): boolean => {
    if (!(fault instanceof ApiFault) || fault.status !== 412) return false;
    void openConfirm({
      title: 'Somebody else changed this in the meantime',
      children: (
        <Text size="sm">
          Since you opened it, it was changed, in another tab or by somebody else. Nothing of yours was saved. Look at
          what it says now, or save yours over it.
        </Text>
      ),
      labels: { confirm: 'Save mine over it', cancel: 'Show what it says now' },
      confirmProps: { color: 'red' },
      onConfirm: () => void overwrite(),
      onCancel: async () => {
        await client.invalidateQueries();
        await reload();
      },
    });
    return true;
  };
}

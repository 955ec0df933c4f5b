import { Button } from '@mantine/core';
import { DownloadIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import { contextHeaders } from '../api/client.ts';
import { ApiFault } from '../api/fault.ts';
import { useDataContext } from '../app/context/data-context.ts';
import { tellFault } from './tell.ts';

interface CsvButtonProps {
  /** Of a call that has CSV too (specification, "Reports"). */
  readonly path: string;
  /** `statements-2026-03.csv`. */
  readonly fileName: string;
  readonly label?: string;
}

/** Loads a list or a report as CSV and hands it to the browser as a file. */
export function CsvButton({ path, fileName, label = 'CSV' }: CsvButtonProps) {
  const context = useDataContext();
  const load = useMutation({
    mutationFn: async () => {
      const headers = { ...contextHeaders(context), Accept: 'text/csv' };
      const response = await fetch(path, { headers, credentials: 'same-origin' });
      if (!response.ok) throw await ApiFault.of(response);
      const url = URL.createObjectURL(await response.blob());
      const link = document.createElement('a');
      link.href = url;
      link.download = fileName;
      link.click();
      URL.revokeObjectURL(url);
    },
    onError: tellFault,
  });
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<DownloadIcon size={13} />}
      loading={load.isPending}
      onClick={() => load.mutate()}
    >
      {label}
    </Button>
  );
}

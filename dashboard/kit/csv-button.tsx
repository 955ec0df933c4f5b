import { Button } from '@mantine/core';
import { DownloadIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import { contextHeaders } from '../api/client.ts';
import { ApiFault } from '../api/fault.ts';
import { useDataContext } from '../app/data-context.ts';
import { tellFault } from './tell.ts';

interface CsvButtonProps {
  /** Of a call that has CSV too (specification, "Reports"). */
  readonly path: string;
  /** `statements-2026-03.csv`. */
  readonly fileName: string;
  readonly label?: string;
  /** It is paged by `page` and `per_page`: the file has all of its pages. */
  readonly paged?: boolean;
}

const ROWS_A_PAGE = 200;

/** Loads a list or a report as CSV and hands it to the browser as a file. */
export function CsvButton({ path, fileName, label = 'CSV', paged = false }: CsvButtonProps) {
  const context = useDataContext();
  const load = useMutation({
    mutationFn: async () => {
      const headers = { ...contextHeaders(context), Accept: 'text/csv' };
      const text = paged ? await allPages(path, headers) : await textOf(path, headers);
      const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
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

async function textOf(path: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(path, { headers, credentials: 'same-origin' });
  if (!response.ok) throw await ApiFault.of(response);
  return response.text();
}

/** Page by page, up to one with a head and no rows; the head of the first page alone stays. */
async function allPages(path: string, headers: Record<string, string>): Promise<string> {
  const pages: string[] = [];
  for (let page = 1; ; page += 1) {
    const text = await textOf(`${path}${path.includes('?') ? '&' : '?'}page=${page}&per_page=${ROWS_A_PAGE}`, headers);
    const rows = text.slice(text.indexOf('\n') + 1);
    if (page > 1 && rows.trim() === '') return pages.join('');
    pages.push(page === 1 ? text : rows);
  }
}

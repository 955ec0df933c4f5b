import { Checkbox, Group, Skeleton, Table, Text, UnstyledButton } from '@mantine/core';
import { SortAscIcon, SortDescIcon } from '@primer/octicons-react';
import { type ColumnDef, tableFeatures, useTable } from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Failed } from './answered.tsx';
import classes from './data-table.module.css';
import { ScrollBox } from './scroll-box.tsx';

export interface Column<R> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: R) => ReactNode;
  /** The API's name of this order, `name`; the other way round is `-name`. */
  readonly sort?: string;
  /** Figures stand to the right. */
  readonly right?: boolean;
  /** On narrow screens there is no room for it. */
  readonly wide?: boolean;
}

/** What `useList` answers, as far as a table shows it. */
interface Listed<R> {
  readonly rows: readonly R[];
  readonly total: number | null;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly isFetching: boolean;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
  readonly refetch: () => unknown;
}

interface DataTableProps<R> {
  /** What the rows are, for screen readers: "Supply sources". */
  readonly caption: string;
  readonly list: Listed<R>;
  readonly columns: readonly Column<R>[];
  readonly rowId: (row: R) => string;
  /** The order that the API was asked for. */
  readonly sort?: string | undefined;
  readonly onSort?: (sort: string) => void;
  /** Shown in place of rows when there are none. */
  readonly empty: ReactNode;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
}

const features = tableFeatures({});
const ROW_PX = 45;
/** Below so many rows all of them are in the page. */
const ALL_ROWS = 60;

/**
 * A list of the API: only the rows that are in view are in the page, and more are asked for when the end comes into
 * view.
 */
export function DataTable<R extends object>(props: DataTableProps<R>) {
  const { caption, list, columns, rowId, sort, onSort, empty, selected, onSelect } = props;
  const { rows, total, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const body = useRef<HTMLTableSectionElement>(null);
  const data = useMemo(() => [...rows], [rows]);
  const defs = useMemo<ColumnDef<typeof features, R>[]>(
    () => columns.map(({ id, header }) => ({ id, header })),
    [columns],
  );
  const table = useTable({ features, columns: defs, data, getRowId: rowId });
  const all = table.getRowModel().rows;
  const virtual = all.length > ALL_ROWS;
  // Where the rows begin on the page: `offsetTop` is of the table.
  const [top, setTop] = useState(0);
  const virtualizer = useWindowVirtualizer({
    count: all.length,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollMargin: top,
    enabled: virtual,
  });
  useLayoutEffect(() => {
    // While it scrolls nothing moves but the page, and to ask would have it laid out at once.
    if (!virtual || virtualizer.isScrolling || body.current === null) return;
    const next = body.current.getBoundingClientRect().top + window.scrollY;
    // Less than a pixel is rounding.
    if (Math.abs(next - top) >= 1) setTop(next);
  });
  const seen = virtual ? virtualizer.getVirtualItems() : null;
  // None is seen before the window is measured: that is not the end of the list.
  const last = seen === null ? all.length - 1 : (seen.at(-1)?.index ?? -1);

  useEffect(() => {
    if (virtual && hasNextPage && !isFetchingNextPage && last >= all.length - 20) void fetchNextPage();
  }, [virtual, hasNextPage, isFetchingNextPage, last, all.length, fetchNextPage]);

  // The same function as long as the table is there: rows that are in view are not made anew while others come.
  const choice = useRef({ selected, onSelect });
  choice.current = { selected, onSelect };
  const toggle = useCallback((id: string) => {
    const next = new Set(choice.current.selected);
    if (!next.delete(id)) next.add(id);
    choice.current.onSelect?.(next);
  }, []);

  if (list.error !== null && rows.length === 0) {
    return <Failed error={list.error} again={list.refetch} busy={list.isFetching} />;
  }
  if (!list.isPending && rows.length === 0) return <>{empty}</>;

  const span = columns.length + (onSelect === undefined ? 0 : 1);
  const before = seen === null ? 0 : (seen[0]?.start ?? 0) - virtualizer.options.scrollMargin;
  const after =
    seen === null ? 0 : virtualizer.getTotalSize() - ((seen.at(-1)?.end ?? 0) - virtualizer.options.scrollMargin);
  const shown = seen === null ? all : seen.map(({ index }) => all[index]!);
  return (
    <div>
      {list.error !== null && <Failed error={list.error} again={list.refetch} busy={list.isFetching} stale />}
      <ScrollBox>
        <Table aria-label={caption} aria-rowcount={total ?? undefined} aria-busy={list.isPending || undefined}>
          <Table.Thead>
            <Table.Tr>
              {onSelect !== undefined && (
                <Table.Th w={36}>
                  <Checkbox
                    aria-label="Select all that are shown"
                    checked={all.length > 0 && all.every(({ id }) => selected?.has(id))}
                    indeterminate={(selected?.size ?? 0) > 0 && !all.every(({ id }) => selected?.has(id))}
                    onChange={({ currentTarget }) =>
                      onSelect(new Set(currentTarget.checked ? all.map(({ id }) => id) : []))
                    }
                  />
                </Table.Th>
              )}
              {columns.map((column) => (
                <Header key={column.id} column={column} sort={sort} onSort={onSort} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody ref={body}>
            {list.isPending && <Waiting span={span} />}
            {before > 0 && <Spacer span={span} height={before} />}
            {shown.map((row) => (
              <BodyRow
                key={row.id}
                row={row.original}
                id={row.id}
                index={row.index}
                columns={columns as readonly Column<object>[]}
                measure={virtual ? virtualizer.measureElement : undefined}
                selected={selected?.has(row.id) ?? false}
                onToggle={onSelect === undefined ? undefined : toggle}
              />
            ))}
            {after > 0 && <Spacer span={span} height={after} />}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {!list.isPending && (
        <Group justify="space-between" px={12} py="xs">
          <Text size="xs" c="dimmed" role="status">
            {total === null ? `${rows.length} shown` : `${rows.length} of ${total}`}
          </Text>
          {hasNextPage && (
            <UnstyledButton className={classes.more} disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {isFetchingNextPage ? 'Loading …' : 'Show more'}
            </UnstyledButton>
          )}
        </Group>
      )}
    </div>
  );
}

interface BodyRowProps {
  readonly row: object;
  readonly id: string;
  readonly index: number;
  readonly columns: readonly Column<object>[];
  /** Rows of two lines are higher than what is expected. */
  readonly measure: ((element: HTMLElement | null) => void) | undefined;
  readonly selected: boolean;
  readonly onToggle: ((id: string) => void) | undefined;
}

const BodyRow = memo(({ row, id, index, columns, measure, selected, onToggle }: BodyRowProps) => (
  <Table.Tr ref={measure} data-index={index} aria-selected={onToggle === undefined ? undefined : selected}>
    {onToggle !== undefined && (
      <Table.Td>
        <Checkbox aria-label="Select this row" checked={selected} onChange={() => onToggle(id)} />
      </Table.Td>
    )}
    {columns.map((column) => (
      <Table.Td key={column.id} ta={column.right ? 'right' : undefined} visibleFrom={column.wide ? 'md' : undefined}>
        {column.cell(row)}
      </Table.Td>
    ))}
  </Table.Tr>
));

interface HeaderProps<R> {
  readonly column: Column<R>;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string) => void) | undefined;
}

function Header<R>({ column, sort, onSort }: HeaderProps<R>) {
  const { header, right, wide } = column;
  const up = column.sort !== undefined && sort === column.sort;
  const down = column.sort !== undefined && sort === `-${column.sort}`;
  return (
    <Table.Th
      ta={right ? 'right' : undefined}
      visibleFrom={wide ? 'md' : undefined}
      aria-sort={up ? 'ascending' : down ? 'descending' : undefined}
      className={classes.head}
    >
      {column.sort === undefined || onSort === undefined ? (
        header
      ) : (
        <UnstyledButton className={classes.sort} onClick={() => onSort(up ? `-${column.sort}` : column.sort!)}>
          {header}
          {up && <SortAscIcon size={12} />}
          {down && <SortDescIcon size={12} />}
        </UnstyledButton>
      )}
    </Table.Th>
  );
}

function Spacer({ span, height }: { readonly span: number; readonly height: number }) {
  return (
    <tr>
      <td colSpan={span} style={{ height, padding: 0 }} />
    </tr>
  );
}

function Waiting({ span }: { readonly span: number }) {
  return Array.from({ length: 4 }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
    <Table.Tr key={index}>
      <Table.Td colSpan={span}>
        <Skeleton height={16} />
      </Table.Td>
    </Table.Tr>
  ));
}

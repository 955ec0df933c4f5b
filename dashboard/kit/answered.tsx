import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import { ApiFault } from '../api/fault.ts';

interface Asked<B> {
  readonly body: B | undefined;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

interface AnsweredProps<B> {
  readonly of: Asked<B>;
  /** How many lines a placeholder has while the answer is on its way. */
  readonly lines?: number;
  readonly children: (body: B) => ReactNode;
}

/**
 * A part of a page that waits for an answer: a placeholder, what went wrong, or the answer; an old answer stays, with a
 * word on it.
 */
export function Answered<B>({ of, lines = 3, children }: AnsweredProps<B>) {
  const { body, error, isPending } = of;
  if (body !== undefined) {
    return (
      <>
        {error !== null && <Failed error={error} again={of.refetch} busy={of.isFetching} stale />}
        {children(body)}
      </>
    );
  }
  if (error !== null) return <Failed error={error} again={of.refetch} busy={of.isFetching} />;
  if (!isPending) return null;
  return <Placeholder lines={lines} />;
}

/** Where something is on its way: an answer, or the code of a part of the page. */
export function Placeholder({ lines = 3 }: { readonly lines?: number }) {
  return (
    <Stack gap="xs" role="group" aria-busy="true" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={index} height={18} width={index === lines - 1 ? '60%' : '100%'} />
      ))}
    </Stack>
  );
}

interface FailedProps {
  readonly error: Error;
  readonly again?: () => unknown;
  readonly busy?: boolean;
  /** Something older is shown below. */
  readonly stale?: boolean;
}

/** What went wrong, in the API's own words, and a way to ask again. */
export function Failed({ error, again, busy = false, stale = false }: FailedProps) {
  const fault = error instanceof ApiFault ? error : null;
  return (
    <Alert
      color={fault?.status === 404 ? 'gray' : 'red'}
      icon={<AlertIcon size={16} />}
      title={titleOf(fault)}
      role="alert"
      mb={stale ? 'sm' : 0}
    >
      <Stack gap="xs">
        <Text size="sm">
          {error.message}
          {stale && ' What is shown is older.'}
        </Text>
        <Group gap="sm">
          {again !== undefined && fault?.status !== 403 && fault?.status !== 404 && (
            <Button size="xs" variant="default" loading={busy} onClick={() => void again()}>
              Try again
            </Button>
          )}
          {fault?.requestId && (
            <Text size="xs" c="dimmed">
              Request {fault.requestId}
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

function titleOf(fault: ApiFault | null): string {
  switch (fault?.status) {
    case 0:
      return 'The exchange cannot be reached';
    case 403:
      return 'This is not for you to see';
    case 404:
      return 'This does not exist';
    case 429:
      return 'Too many requests for now';
    case 503:
      return 'The exchange is busy or a part of it is away';
    default:
      return 'That did not work';
  }
}

/** In place of a list with nothing in it: why, and the next step. */
export function Empty({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <Stack align="center" gap={6} py={48} px="md" ta="center">
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text c="dimmed" size="sm" maw={460}>
          {children}
        </Text>
      )}
      {action !== undefined && <Group mt="xs">{action}</Group>}
    </Stack>
  );
}

import { Anchor, Breadcrumbs, Button, Group, Stack, Text, Title } from '@mantine/core';
import { TerminalIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { ShownCall } from './shown-call.ts';
import { useTitle } from './use-title.ts';

const CurlDialog = lazy(() => import('./curl-dialog.tsx'));

interface PageProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Beside the title: a status, an id. */
  readonly beside?: ReactNode;
  /** The list that this is one of. */
  readonly parent?: { readonly to: string; readonly label: string };
  readonly actions?: ReactNode;
  /** What is on the screen, as calls of the API. */
  readonly calls?: readonly ShownCall[];
  readonly children: ReactNode;
}

/** What every page has: a title of its own, one heading of level 1, and the calls behind it. */
export function Page({ title, description, beside, parent, actions, calls, children }: PageProps) {
  const [showsCurl, setShowsCurl] = useState(false);
  useTitle(title);

  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={4} miw={0} maw="100%">
          {parent !== undefined && (
            <Breadcrumbs fz="sm" className="no-print">
              <Anchor size="sm" renderRoot={(props) => <Link to={parent.to} {...props} />}>
                {parent.label}
              </Anchor>
              <Text size="sm" c="dimmed" lh="sm" truncate maw={260}>
                {title}
              </Text>
            </Breadcrumbs>
          )}
          <Group gap="sm" align="center">
            <Title order={1} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            {beside}
          </Group>
          {description !== undefined && (
            <Text c="dimmed" size="sm" maw={720} component="div" style={{ overflowWrap: 'anywhere' }}>
              {description}
            </Text>
          )}
        </Stack>
        <Group gap="xs" className="no-print">
          {calls !== undefined && calls.length > 0 && (
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              leftSection={<TerminalIcon size={14} />}
              onClick={() => setShowsCurl(true)}
            >
              curl
            </Button>
          )}
          {actions}
        </Group>
      </Group>
      {children}
      {showsCurl && (
        <Suspense>
          <CurlDialog calls={calls ?? []} onClose={() => setShowsCurl(false)} />
        </Suspense>
      )}
    </Stack>
  );
}

import { Modal, Stack, Text } from '@mantine/core';
import { useDataContext } from '../app/data-context.ts';
import { Snippet } from './copy.tsx';
import type { ShownCall } from './shown-call.ts';

/** What is on the screen, for a terminal. The key is the reader's own: a session's cookie is nothing to paste. */
export default function CurlDialog({
  calls,
  onClose,
}: {
  readonly calls: readonly ShownCall[];
  readonly onClose: () => void;
}) {
  const { sandbox, partner } = useDataContext();
  const write = ({ method = 'GET', path, body }: ShownCall) =>
    [
      `curl ${method === 'GET' ? '' : `-X ${method} `}'${window.location.origin}${path.replaceAll("'", '%27')}'`,
      '-H \'X-API-Key: \'"$API_KEY"',
      ...(sandbox ? ["-H 'X-Sandbox: true'"] : []),
      ...(partner !== undefined ? [`-H 'X-User-Partner-ID: ${partner}'`] : []),
      ...(body === undefined
        ? []
        : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
    ].join(' \\\n  ');
  return (
    <Modal opened onClose={onClose} title="What is on this page, by the API" size="lg">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Set API_KEY to a key of yours (Settings, API keys).
        </Text>
        {calls.map((call) => (
          <Snippet key={`${call.method} ${call.path}`} text={write(call)} what="the command" />
        ))}
      </Stack>
    </Modal>
  );
}

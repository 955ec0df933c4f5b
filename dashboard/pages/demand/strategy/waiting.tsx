import { Group, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';

/** Long work goes on: what it is, and for how long it has. How long it takes is not known. */
export function Waiting({ what }: { readonly what: string }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const began = Date.now();
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - began) / 1000)), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" role="status">
          {what}
        </Text>
        <Text size="sm" c="dimmed" className="figure" aria-hidden="true">
          {seconds} s
        </Text>
      </Group>
      <Progress value={100} animated aria-label={what} />
    </Stack>
  );
}

import { Stack } from '@mantine/core';
import { useAnswer } from '../../../api/queries.ts';
import { Answered } from '../../../kit/answered.tsx';
import { CorsOrigins } from './cors-origins.tsx';
import { SettingsTable } from './settings-table.tsx';

/**
 * What the process that answers was started with: which other origins may call it first, then each setting by subject.
 */
export default function ExchangeSection() {
  const asked = useAnswer('/api/exchange/settings');
  return (
    <Answered of={asked} lines={10}>
      {({ settings }) => (
        <Stack gap="lg">
          <CorsOrigins settings={settings} />
          <SettingsTable settings={settings} />
        </Stack>
      )}
    </Answered>
  );
}

import { Badge, Stack, Table, Text } from '@mantine/core';
import { Empty } from '../../../kit/answered.tsx';
import { Section } from '../../../kit/figure.tsx';
import { SearchBox } from '../../../kit/search-box.tsx';
import { useView } from '../../../kit/use-view.ts';
import { groupSettings, type Setting } from './setting.ts';
import classes from './settings-table.module.css';

/** The settings by subject; the search stands in the URL. */
export function SettingsTable({ settings }: { readonly settings: readonly Setting[] }) {
  const [view, setView] = useView({ q: '' });
  const groups = groupSettings(settings, view.q);
  return (
    <Section
      title="Settings of the process"
      description="Environment variables of the process that answered, read when it started. Secrets are never among them."
      actions={<SearchBox label="Search settings" value={view.q} onSearch={(q) => setView({ q })} />}
    >
      {groups.length === 0 && (
        <Empty title="No setting fits">Nothing has this in its name, its value or its meaning.</Empty>
      )}
      <Stack gap="lg">
        {groups.map(({ title, settings: those }) => (
          <div key={title}>
            <Text component="h3" fw={600} fz="sm" m={0} mb={4}>
              {title}
            </Text>
            <Table aria-label={title} className={classes.table}>
              <Table.Thead className="visually-hidden">
                <Table.Tr>
                  <Table.Th>Setting</Table.Th>
                  <Table.Th>Value</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {those.map((setting) => (
                  <Row key={setting.name} setting={setting} />
                ))}
              </Table.Tbody>
            </Table>
          </div>
        ))}
      </Stack>
    </Section>
  );
}

function Row({ setting: { name, value, meaning, is_default: isDefault } }: { readonly setting: Setting }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.name}>
        <Text size="sm" ff="monospace" className={classes.breakable}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" fw={400}>
          {meaning}
        </Text>
      </Table.Th>
      <Table.Td className={classes.value}>
        <Text span size="sm" c={value === null ? 'dimmed' : undefined} className={classes.breakable}>
          {value ?? 'none'}
        </Text>{' '}
        <Badge size="sm" color={isDefault ? 'gray' : 'blue'}>
          {isDefault ? 'Default' : 'Set'}
        </Badge>
      </Table.Td>
    </Table.Tr>
  );
}

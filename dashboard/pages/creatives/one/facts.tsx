import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** What is known of a thing, one below the other. */
export function Facts({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Table variant="vertical" layout="auto" aria-label={label}>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  );
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th w={140}>{name}</Table.Th>
      <Table.Td>
        <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

import { Select } from '@mantine/core';

interface PartnerSelectProps {
  readonly partners: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
}

/** One of the partners that the account acts for, or all of them. */
export default function PartnerSelect({ partners, chosen, onChoose }: PartnerSelectProps) {
  return (
    <Select
      aria-label="Partner"
      size="xs"
      w={{ base: 120, sm: 180 }}
      placeholder="All partners"
      clearable
      searchable
      data={partners.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen ?? null}
      onChange={(id) => onChoose(id ?? undefined)}
    />
  );
}

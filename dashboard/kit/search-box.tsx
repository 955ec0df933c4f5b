import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { SearchIcon } from '@primer/octicons-react';
import { useEffect, useRef, useState } from 'react';

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

/** Searches once the typing pauses. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const asked = useRef(value);
  const search = useDebouncedCallback((next: string) => {
    asked.current = next;
    onSearch(next);
  }, 250);
  const write = (next: string) => {
    setText(next);
    search(next);
  };
  // The search may become another one elsewhere: by a button that clears all filters, or by Back.
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setText(value);
  }, [value]);
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      size="xs"
      w={{ base: '100%', sm: 240 }}
      type="search"
      maxLength={100}
      leftSection={<SearchIcon size={14} />}
      rightSection={text !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={() => write('')} />}
      value={text}
      onChange={({ currentTarget }) => write(currentTarget.value)}
    />
  );
}

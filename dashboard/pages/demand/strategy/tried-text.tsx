import { SegmentedControl } from '@mantine/core';
import { ApiFault } from '../../../api/fault.ts';
import type { Strategy } from './document.ts';
import type { StrategyText } from './use-text.ts';

/** What is tried: the text as it stands, or all that the delegate bids with now. */
export type Tried = 'text' | 'saved';

export function TriedText({ value, onChange }: { readonly value: Tried; readonly onChange: (value: Tried) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="What is tried"
      data={[
        { value: 'text', label: 'The text above' },
        { value: 'saved', label: 'What bids now' },
      ]}
      value={value}
      onChange={(next) => onChange(next as Tried)}
    />
  );
}

/** The part of a body that says which strategy is tried; null where the text is no JSON, which is told beside it. */
export function triedOf(tried: Tried, text: StrategyText): { readonly strategy?: Strategy } | null {
  if (tried === 'saved') return {};
  const read = text.read();
  return read === null ? null : { strategy: read.document };
}

const STRATEGY = /^strategy\.?/;

/** What the API found wrong with the strategy is marked in the text; what is left is said where it was asked. */
export function tellTried(error: unknown, text: StrategyText): Error | null {
  if (!(error instanceof ApiFault)) return error instanceof Error ? error : new Error(String(error));
  const own = error.fields.filter(({ field }) => STRATEGY.test(field));
  if (own.length === 0) return error;
  text.mark(own.map(({ field, message }) => ({ field: field.replace(STRATEGY, ''), message })));
  return new Error('The exchange does not take this document: what is to be mended is listed beside the text.');
}

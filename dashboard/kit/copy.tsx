import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core';
import { CheckIcon, CopyIcon } from '@primer/octicons-react';
import classes from './copy.module.css';

/** A button that copies `value`; `what` names it: "Copy the publisher id". */
export function Copy({ value, what }: { readonly value: string; readonly what: string }) {
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={copy}
            aria-label={copied ? 'Copied' : `Copy ${what}`}
          >
            {copied ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** An id, shortened where there is little room, with a button that copies the whole. */
export function Id({
  value,
  what = 'the id',
  short = false,
}: {
  readonly value: string;
  readonly what?: string;
  readonly short?: boolean;
}) {
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <Code title={value}>{short && value.length > 13 ? `${value.slice(0, 8)}…` : value}</Code>
      <Copy value={value} what={what} />
    </Group>
  );
}

/** Text to be pasted elsewhere: a tag, a line, a command. */
export function Snippet({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div className={classes.snippet}>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <div className={classes.button}>
        <Copy value={text} what={what} />
      </div>
    </div>
  );
}

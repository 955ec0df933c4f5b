import { Button, FileButton, Menu, Text } from '@mantine/core';
import { ChevronDownIcon, CodeIcon, DownloadIcon, HistoryIcon, UploadIcon } from '@primer/octicons-react';
import { EXAMPLES } from './examples.ts';

interface ToolbarProps {
  readonly dirty: boolean;
  /** The editor is there. */
  readonly ready: boolean;
  readonly saving: boolean;
  readonly hasSaved: boolean;
  readonly onOpen: (file: File) => void;
  readonly onDownload: () => void;
  readonly onFormat: () => void;
  readonly onExample: (document: (sourceId: string) => object) => void;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
}

/** What is done with the text as a whole. */
export function Toolbar(props: ToolbarProps) {
  const { dirty, ready, saving, hasSaved, onOpen, onDownload, onFormat, onExample, onDiscard, onSave } = props;
  return (
    <>
      <FileButton accept="application/json,.json" onChange={(file) => file !== null && onOpen(file)}>
        {(button) => (
          <Button {...button} variant="default" size="xs" leftSection={<UploadIcon size={14} />}>
            Open a file
          </Button>
        )}
      </FileButton>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" size="xs" rightSection={<ChevronDownIcon size={14} />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown maw={320}>
          <Menu.Item leftSection={<DownloadIcon size={14} />} onClick={onDownload}>
            Download
          </Menu.Item>
          <Menu.Item leftSection={<CodeIcon size={14} />} onClick={onFormat}>
            Format
          </Menu.Item>
          {hasSaved && (
            <Menu.Item leftSection={<HistoryIcon size={14} />} disabled={!dirty} onClick={onDiscard}>
              Go back to what is saved
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Label>Examples</Menu.Label>
          {EXAMPLES.map(({ id, label, what, document }) => (
            <Menu.Item key={id} onClick={() => onExample(document)}>
              {label}
              <Text size="xs" c="dimmed">
                {what}
              </Text>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button size="xs" onClick={onSave} loading={saving} disabled={!dirty || !ready}>
        Save
      </Button>
    </>
  );
}

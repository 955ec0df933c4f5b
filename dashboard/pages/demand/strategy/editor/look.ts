import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** As the rest of the page looks, light and dark: everything by its variables. */
const theme = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: '13px',
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-body)',
  },
  // Its box shows the focus.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface)',
    color: 'var(--mantine-color-dimmed)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--chart-1) 6%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--chart-1) 12%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--chart-1) 25%, transparent)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'color-mix(in srgb, var(--chart-2) 30%, transparent)' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--surface)',
    color: 'var(--mantine-color-dimmed)',
    border: '1px solid var(--line)',
    padding: '0 6px',
  },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--mantine-color-text)' },
  '.cm-textfield': { backgroundColor: 'var(--mantine-color-body)', borderColor: 'var(--line)' },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--mantine-color-body)',
    borderColor: 'var(--line)',
    color: 'var(--mantine-color-text)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: 'var(--mantine-shadow-md)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mantine-font-family-monospace)', maxHeight: '15em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--mantine-primary-color-filled)',
    color: 'var(--mantine-color-white)',
  },
  '.cm-completionDetail': { color: 'inherit', opacity: '0.8', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-schema-info': { padding: '6px 4px', maxWidth: '340px', fontSize: '12.5px', overflowWrap: 'anywhere' },
  '.cm-schema-info code': { fontFamily: 'var(--mantine-font-family-monospace)', color: 'var(--mantine-color-dimmed)' },
  '.cm-schema-info p': { margin: '4px 0 0' },
  '.cm-diagnostic': { padding: '6px 10px', maxWidth: '420px', overflowWrap: 'anywhere' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--mantine-color-error) 1.5px',
    textUnderlineOffset: '3px',
    backgroundColor: 'color-mix(in srgb, var(--mantine-color-error) 12%, transparent)',
  },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--editor-name)' },
  { tag: tags.string, color: 'var(--editor-text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--editor-plain)' },
  { tag: [tags.brace, tags.squareBracket, tags.separator, tags.punctuation], color: 'var(--mantine-color-dimmed)' },
]);

export const look: Extension = [theme, syntaxHighlighting(colours)];

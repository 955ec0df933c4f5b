import type { Setting } from '../../settings/declaration.ts';
import { SETTINGS_GROUPS } from '../../settings/declared-settings.ts';

const INTRODUCTION = `# All settings, each with its default. Made of settings/declared-settings.ts by \`npm run reference\`.
# Copy this file to .env, and take the # off the lines that you change. docs/settings.md says more.`;

/** .env.example: every line is a comment, so that a copy of it changes nothing. */
export function environmentExample(): string {
  const groups = SETTINGS_GROUPS.map(({ title, settings }) =>
    [`# ── ${title}`, ...Object.values(settings).map(linesOf)].join('\n\n'),
  );
  return `${[INTRODUCTION, ...groups].join('\n\n')}\n`;
}

function linesOf({ name, fallback, meaning }: Setting): string {
  const words = 'value' in fallback ? meaning : `${meaning} (default: ${fallback.words})`;
  return `# ${plain(words)}\n#${name}=${'value' in fallback ? fallback.value : ''}`;
}

/** Without Markdown's marks: a link is its text. */
function plain(markdown: string): string {
  return markdown.replaceAll('`', '').replace(/\[([^\]]*)\]\([^)]*\)/g, 'docs/$1');
}

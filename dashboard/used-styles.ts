import postcss from 'postcss';
import type { Plugin } from 'vite';

/** Mantine's classes: the same for a component in its scripts and in its styles. */
const MANTINE_CLASS = /\bm_[0-9a-f]{5,8}\b/g;

/**
 * Leaves those rules of Mantine's style sheet out that style a component which no script of the build has: a third of
 * it.
 */
export function usedStyles(): Plugin {
  return {
    name: 'used-styles',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = Object.values(bundle);
      const used = new Set(
        files.flatMap((file) => (file.type === 'chunk' ? file.code.match(MANTINE_CLASS) : null) ?? []),
      );
      const isUsed = (selector: string) => (selector.match(MANTINE_CLASS) ?? []).every((name) => used.has(name));
      for (const file of files) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
        const sheet = postcss.parse(String(file.source));
        sheet.walkRules((rule) => {
          const kept = rule.selectors.filter(isUsed);
          if (kept.length === 0) rule.remove();
          else if (kept.length < rule.selectors.length) rule.selectors = kept;
        });
        sheet.walkAtRules((rule) => {
          if (rule.nodes?.length === 0) rule.remove();
        });
        file.source = sheet.toString();
      }
    },
  };
}

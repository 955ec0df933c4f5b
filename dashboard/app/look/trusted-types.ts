interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML(text: string): string }): unknown;
}

/**
 * The one policy of the page, for the components' own style sheets, which are written as the inner HTML of style
 * elements: text without `<` has no element in it. Anything else that reaches such a place is refused (Trusted Types
 * §4.3).
 */
export function trustStyles(): void {
  const { trustedTypes } = window as { trustedTypes?: PolicyFactory };
  trustedTypes?.createPolicy('default', {
    createHTML(text) {
      if (text.includes('<')) throw new TypeError('This page writes no HTML of its own.');
      return text;
    },
  });
}

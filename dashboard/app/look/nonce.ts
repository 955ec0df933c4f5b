/** What this page's styles are let in by: the gateway writes a new one into each page and its policy. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

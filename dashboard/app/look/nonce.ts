/** What this page's styles are let in by: the gateway writes a new one into each page and its policy. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// The library that keeps the page below a dialog from scrolling (react-remove-scroll) looks for it under this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

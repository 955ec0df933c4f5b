/** Escapes a URL for an HTML attribute in double quotes. */
function attributeEscaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** The hidden 1×1 image comes first (specification, Endpoints on {rtb_url}); what the DSP sent follows untouched. */
export function injectBannerPixel(adm: string, trackingUrl: string): string {
  return `<img src="${attributeEscaped(trackingUrl)}" width="1" height="1" alt="" style="display:none">${adm}`;
}

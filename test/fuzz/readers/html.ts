// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are macros of markup
import { readHtml, readLoadedScript } from '#gateways/creatives/scan/html/read-html';
import { nativeMarkup } from '#gateways/creatives/scan/native-markup';

export const htmlSamples = [
  '<a href="https://brand.example/?a=${AUCTION_ID}"><img src=\'https://cdn.test/a.png\' width="300"><span class="close">×</span></a>',
  '<!-- a --><script>document.write("<scr" + "ipt src=\'https://cdn.test/a.js\'></scr" + "ipt>"); top.location = "https://a.test"</script>',
  '<iframe srcdoc="&lt;script&gt;setTimeout(() => location.replace(`https://${a}`))&lt;/script&gt;"></iframe><style>a{background:url(//b.test/c.png)}</style>',
  '<svg><image href="https://cdn.test/a.svg"/></svg><meta http-equiv="refresh" content="0;url=https://a.test"><textarea><b></textarea>',
  '<p title="&#60;&#x26;&amp">&#99999999999999999999;&#xfffffffffffffffffff&notit;</p>',
  'function a() { parent.location.href = b; } document.getElementById("close").onclick = a; var w = window["top"];',
  '{"native":{"assets":[{"id":1,"img":{"type":3,"url":"https://cdn.test/a.png"}},{"id":2,"video":{"vasttag":"<VAST/>"}}],"link":{"url":"https://brand.example"}}}',
];

/** As a scan reads the markup of a banner, a script that it loads, and a native response. */
export function readBannerMarkup(text: string): void {
  readHtml(text);
  readLoadedScript(text);
  nativeMarkup(text);
}

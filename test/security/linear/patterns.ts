import type { WorstCase } from './worst-case.ts';

/** Where a pattern sees nothing that comes from outside: why. */
export type SeesNothing = string;

/**
 * Every pattern of the product, by file, with the input that keeps it busiest: what begins it, what is repeated, what
 * ends it. Those that see nothing from outside say why.
 */
export const PATTERNS: Readonly<Record<string, Readonly<Record<string, WorstCase | SeesNothing>>>> = {
  'actors/audit-chain/chain-link': {
    '/^\\d{13}-/': ['', '1', ''],
  },
  'actors/audit-entry/redact': {
    '/secret|sealed|hash|password|token|sourcekey|credential|authori|recovery|totp/i': [
      '',
      'secre passwor toke',
      '\n!',
    ],
    '/^[a-z]+:\\/\\//i': ['', 'a', '\n!'],
    '/[?#]/': ['', 'a', '\n!'],
  },
  'actors/feed-page/truncate-to-bytes': {
    '/^[ !#-[\\]-~]*$/': ['', '|', '\n!'],
  },
  'actors/ledger/names-text': {
    '/^:([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/': [':', '0', '\n!'],
  },
  'actors/ledger/stored-ledger': {
    '/[=,]/': ['', 'a', '\n!'],
  },
  'actors/auction-record/summary': {
    '/^The bid /': 'over sentences of our own',
  },
  'gateways/bidders/tls/connection-problem': {
    '/^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_\\w+|CERT_\\w+|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/':
      'over the codes of OpenSSL',
    '/^ERR_SSL_(?:TLSV\\d+|SSLV3)_ALERT_(?:CERTIFICATE_\\w+|BAD_CERTIFICATE|UNKNOWN_CA|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED)$/':
      'over the codes of OpenSSL',
  },
  'gateways/bidders/tls/bidder-context': {
    '/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\\s]+-----END CERTIFICATE-----/g': 'over files of the settings',
  },
  'gateways/log-level-data/delete-old-days': {
    '/^dt=\\d{4}-\\d{2}-\\d{2}$/': ['dt=', '1', '\n!'],
  },
  'gateways/log-level-data/ledger-hour': {
    '/^(?:publisher|dsp|platform):[^:]*:[^:]*$/': ['dsp:', 'a:', '\n!'],
  },
  'gateways/log-level-data/rows/row-fields': {
    '/^[ !#-[\\]-~]*$/': ['', '|', '\n!'],
  },
  'gateways/management/dashboard/dashboard-pages': {
    '/^\\/assets\\/[\\w-]+(?:\\.[\\w-]+)*\\.(?:js|css|woff2|svg|png)$/': ['/assets/', 'a.', '\n!'],
  },
  'gateways/management/docs/site': {
    '/^(?:[\\w-]+\\/)*[\\w-]+$/': ['', 'a/', '\n!'],
    '/^(?:[\\w-]+\\/)*[\\w-]+\\.(?:css|js|json|png|svg|txt)$/': ['', 'a/', '\n!'],
    '/\\/$/': ['', '/', 'a'],
  },
  'gateways/management/dashboard/content-security-policy': {
    '/^http/': 'over an address of the settings',
  },
  'gateways/management/resources/exchange/exchange': {
    '/^http/': 'over an address of the settings',
  },
  'actors/feed-page/feed-page-id': {
    '/^[iw]/': ['', '\t', ''],
  },
  'actors/feed-page/packed-rows': {
    '/^[ !#$&(-+\\--:<-[\\]-~]*$/': ['', 'http://', ''],
    '/["%\',;\\\\\\u0000-\\u001f]/g': ['', ',', '\n!'],
    '/%(..)/g': ['', '%5B', '\n!'],
  },
  'exchange/invalid-traffic/user-agent-kind': {
    '/(?<!\\bcu)bots?(?:\\b|_)|crawl|spider|slurp|mediapartners-google|facebookexternalhit|ia_archiver|archive\\.org|bingpreview|duckduckgo-favicons|google-inspectiontool|google-read-aloud|apis-google|feedfetcher|lighthouse|pingdom|statuscake/i':
      ['', 'cubot archive', '\n!'],
    '/^(?:curl|wget|node|node\\.js|node-fetch|undici|axios|got|needle|superagent|deno|bun|go-http-client|fasthttp|java|apache-httpclient|jersey|jetty|okhttp|reactornetty|akka-http|pekko-http|vertx|vert\\.x|spring|python|python-requests|python-urllib|python-httpx|aiohttp|httpx|libwww-perl|lwp|perl|php|guzzlehttp|symfony|ruby|faraday|typhoeus|rest-client|httpie|postmanruntime|insomnia|hyper|reqwest|ureq|dart|restsharp|\\.net|nginx|envoy|varnish|traefik|haproxy|hackney|erlang|finch|libcurl|winhttp|prebid-server|pbs)(?:[/ _(-]|\\.|$)/i':
      ['', 'python', '\n!'],
  },
  'gateways/management/identity/second-factor/proof-of-code': {
    '/\\s/g': ['', ' ', ''],
    '/^\\d{6}$/': ['', '0', '\n!'],
  },
  'gateways/management/identity/second-factor/recovery-codes': {
    '/[\\s-]/g': ['', '- ', ''],
    '/^[a-z2-7]{16}$/': ['', 'a', '\n!'],
  },
  'actors/ledger/report/month': {
    '/^(\\d{4})-(0[1-9]|1[0-2])$/': ['', '0', '\n!'],
  },
  'actors/ledger/row-name': {
    '/^[\\w-]{1,64}$/': ['', '-', '\n!'],
    '/\\p{Surrogate}/gu': ['', '1.', ''],
  },
  'actors/name/reservation': {
    '/[^a-z0-9]/g': ['', '{', ''],
  },
  'exchange/ads-txt/ads-txt-location': {
    '/\\.$/': ['', ' ', ''],
    '/^(?:www|m)\\.(?=[^.]+\\.)/': ['', '[', ''],
    '/^[a-z0-9-]+(\\.[a-z0-9-]+)+$/': ['', '1.', '\n!'],
    '/^[a-z0-9.-]+$/': ['', 'a', '\n!'],
    '/^[a-z]{2}$/': ['', '<!--', '\n!'],
  },
  'exchange/ads-txt/parse-ads-txt': {
    '/^[A-Za-z][\\w-]*$/': ['', 'a', '\n!'],
    '/^\\ufeff/': ['ufeff', '\\', ''],
    '/\\r\\n|\\r|\\n/': ['', ')', '\n!'],
    '/[#;]/': ['', '\n', '\n!'],
    '/\\.$/': ['', ' ', ''],
    '/^[a-z0-9-]+(\\.[a-z0-9-]+)+$/': ['', '1.', '\n!'],
  },
  'edge/tracking/trace-parameter': {
    '/(?:^|&)trace=([0-9a-f-]{55})(?:&|$)/': ['', '&trace=0', '\n!'],
  },
  'exchange/currency/read-rates': {
    '/^[A-Z]{3}$/': ['', 'A', '\n!'],
  },
  'exchange/auction/ad-format': {
    '/^\\s*(?:<\\?xml[^>]*>\\s*)?(?:<!--(?:(?!-->)[\\s\\S])*-->\\s*)*<VAST[\\s>]/i': ['', '<!--', '\n!'],
  },
  'exchange/auction/advertiser-domain': {
    '/^(?!www\\.)[a-z0-9-]+(?:\\.[a-z0-9-]+)+$/': ['', 'a.', ''],
    '/^(?:(?:https?|wss?|ftp):[/\\\\]*|[a-z][a-z0-9+.-]*:\\/\\/|[/\\\\]{2,})/': ['', 'xmlns', ''],
    '/[/?#\\\\]/': ['', '<!--', '\n!'],
    '/^www\\./': ['www', '<x:', '\n!'],
    '/[\\t\\n\\r]/g': ['', '\t', ''],
    '/^[a-z0-9.-]*$/': ['', 'a', '\n!'],
  },
  'exchange/auction/secure-markup': {
    '/[?#]/': ['', 'a', '\n!'],
    '/["\'<>\\s)]|&quot;|\\]\\]|\\\\(?!\\/)/': ['', '&quot', ''],
    '/http:(?:\\/\\/|\\\\\\/\\\\\\/)/gi': ['', 'http://', ''],
    '/(?:["\'(>[\\s]|&quot;|(?:^|[\\s"\'])[\\w:-]+=)$/': ['s"\'', 't', ''],
    '/\\bxmlns(?::[\\w-]+)?\\s*=\\s*\\\\?["\']$/i': ['bxmlns', 'xmlns', '\n!'],
    '/schemaLocation\\s*=\\s*\\\\?["\'][^"\'<>]*$/i': ['schemaLocation', '\n', '\n!'],
    '/<!DOCTYPE\\b[^<>]*$/i': ['<!DOCTYPE', '<', ''],
    '/<a\\b[^<>]*\\shref\\s*=\\s*(?:\\\\?["\'])?$/i': ['', '<a ', '\n!'],
    '/<(?:[\\w-]+:)?\\w*ClickThrough\\b[^<>]*>\\s*(?:<!\\[CDATA\\[\\s*)?$/i': ['ClickThrough', '<x:', ''],
    '/"link"\\s*:\\s*\\{[^{}]*"url"\\s*:\\s*"$/i': ['"url"', '"link":{', ''],
  },
  'exchange/consent/erase-ids': {
    '/^[ !#-[\\]-~]*$/': ['', 'a', '"'],
    '/^[\\w.~-]+$/': ['', 'a', '\n!'],
    '/\\p{Surrogate}/gu': ['', '1.', ''],
  },
  'exchange/consent/truncate-address': {
    '/^(\\d{1,3}\\.\\d{1,3}\\.\\d{1,3})\\.\\d{1,3}$/': ['', '${', ''],
    '/^::ffff:(?=\\d+\\.\\d+\\.\\d+\\.\\d+$)/i': ['::ffff:', '0', '\n!'],
  },
  'exchange/consent/us-privacy': {
    '/^1[YN-]Y[YN-]$/i': ['', '//[', '\n!'],
  },
  'exchange/consent/without-personal-data': {
    '/^content\\./': ['', 'src ', ''],
    '/[?#].*$/s': ['', '_', '\n!'],
  },
  'exchange/creative/html-text': {
    '/&/g': ['', '&', ''],
    '/"/g': ['', '"', ''],
    '/</g': ['', '<', ''],
    '/>/g': ['', '>', ''],
    '/\\u2028/g': ['', ' ', ''],
    '/\\u2029/g': ['', ' encoding', ''],
  },
  'exchange/strategy/versions': {
    '/^\\d{1,9}(?:\\.\\d{1,9})*$/': ['', '1.', '\n!'],
  },
  'exchange/creative/render/asks-for-mraid': {
    '/<script\\b/gi': ['<script', '<script', ''],
    '/\\bsrc\\s*=\\s*["\']?([^"\'\\s>]*)/gi': ['', 'src ', ''],
    '/(?:^|\\/)mraid\\.js\\b/i': ['', 'a', '\n!'],
    '/mraid\\.js\\b/gi': ['', 'mraid.js ', ''],
    '/\\bsrc\\\\?["\'`]?\\s{0,9}[=:,]\\s{0,9}\\\\?["\'`](?:[^"\'`\\s<>]*\\/)?$/i': ['src="', 'src="/', '\n!'],
  },
  'exchange/creative/render/describe-creative': {
    '/^http:/i': ['http:', 'Z', ''],
  },
  'exchange/creative/render/native-assets': {
    '/^www\\./': ['www', '<x:', '\n!'],
  },
  'exchange/creative/render/native-request': {
    '/^1(\\.[01])?$/': ['', '0', ''],
  },
  'exchange/creative/render/render-html': {
    '/^\\s*<!doctype\\b[^>]*>/i': ['<!doctype', '^', '\n!'],
  },
  'exchange/creative/warnings/audio': {
    '/^(?:MPEG Audio Layer 3|AAC|Vorbis|Opus)/': ['', '%24{', ''],
    '/^PCM/': ['PCM', '#', ''],
  },
  'exchange/fraud/bot': {
    '/^headless/i': ['', '${', ''],
  },
  'exchange/fraud/player': {
    '/^(?:roku|appletv|apple ?tv|applecoremedia|exoplayer|androidxmedia3|stagefright|gstreamer|libvlc|vlc|kodi|tizen|webos|web0s|aft|vizio|smartcast|hbbtv|chromecast)/i':
      ['', 'appleandroidx', '\n!'],
    '/^(?:lavf|libavformat|ffmpeg|(?:aws )?elemental[ -]?mediatailor|googleadinsertion|yospace)/i': [
      '',
      'aws elemental ',
      '\n!',
    ],
  },
  'exchange/fraud/identity': {
    '/\\.localhost$|^(?:127|10)(?:\\.\\d+){3}$|^192\\.168(?:\\.\\d+){2}$|^172\\.(?:1[6-9]|2\\d|3[01])(?:\\.\\d+){2}$/':
      ['localhost', '7', ''],
    '/^(?:\\[|[\\w-]*)$/': ['', 'a', '\n!'],
    '/^(?:id)?(\\d+)$/': ['', '0', '\n!'],
  },
  'exchange/invalid-traffic/device-family': {
    '/\\broku/i': ['', ' rok', '\n!'],
    '/playstation/i': ['', 'playstatio', '\n!'],
    '/nintendo/i': ['', 'nintend', '\n!'],
    '/windows|xbox/i': ['', 'window xbo', '\n!'],
    '/iphone|ipad|ipod|macintosh|mac os|apple ?tv|applecoremedia|\\bcfnetwork|\\bdarwin\\b|\\btvos\\b|\\bios\\b/i': [
      '',
      'iphon ipa mac o apple t',
      '\n!',
    ],
    '/linux|android|\\bcros\\b|tizen|web0s|webos|dalvik|silk\\/|\\bx11\\b/i': ['', 'linu androi cro silk', '\n!'],
  },
  'exchange/ip-notation': {
    '/^[0-9a-f]{1,4}$/i': ['', 'a', '\n!'],
  },
  'exchange/packed-domains': {
    '/^[\\u0000-\\u00ff]*$/': ['', '&', ''],
  },
  'exchange/openrtb/device-of-user-agent': {
    '/\\broku/i': ['', ' rok', '\n!'],
    '/\\bapple ?tv|\\btvos\\b/i': ['', ' apple tvo', '\n!'],
    '/\\bAFT[A-Z]/': ['', ' AFT', '\n!'],
    '/\\bweb0s\\b|\\bwebos\\b/i': ['', ' webosx', '\n!'],
    '/\\btizen\\b/i': ['', ' tizenx', '\n!'],
    '/\\bcrkey\\b|chromecast/i': ['', ' crkeyx chromecas', '\n!'],
    '/\\bbravia\\b/i': ['', ' braviax', '\n!'],
    '/\\bvizio\\b|smartcast/i': ['', ' viziox smartcas', '\n!'],
    '/smart-?tv|google ?tv|android ?tv|\\bhbbtv\\b|\\bnetcast\\b|\\bviera\\b/i': ['', 'smart- google android ', '\n!'],
    '/playstation|\\bxbox\\b|nintendo/i': ['', ' xboxx playstatio', '\n!'],
    '/\\bipad\\b/i': ['', ' ipadx', '\n!'],
    '/\\biphone\\b|\\bipod\\b/i': ['', ' iphonex ipodx', '\n!'],
    '/\\bmobile\\b/i': ['', ' mobilex', '\n!'],
  },
  'exchange/creative/creative-template': {
    '/^[\\w.~-]*$/': ['', 'a', '\n!'],
    '/^[\\w-]*$/': ['', 'a', '\n!'],
    '/(?:[=?&|,"\']|%3D|[\\w.~)}-]\\/)$/i': ['', '%3/', '!'],
    '/\\d/': ['', 'a', ''],
    '/([?&;](?:cb|cachebuster|cachebusting|cache_buster|correlator|nocache|ord|rand|random|rnd|timestamp|ts|_)=)\\d{6,20}(?![\\w.-])/gi':
      ['', '?cb=12345678901234567890', '!'],
    '/\\p{Surrogate}/gu': ['', 'a', '\ud800'],
  },
  'exchange/money/cents': {
    '/\\.?0+$/': 'over the digits of one amount, which the exchange writes itself',
  },
  'exchange/openrtb/macros': {
    '/(\\$|%24)(?:\\{|%7[Bb])AUCTION_([A-Z_]+)(?:(?::|%3[Aa])([A-Za-z0-9]+))?(?:\\}|%7[Dd])/g': ['AUCTION', '%', '\n!'],
    '/\\p{Surrogate}/gu': ['', '1.', ''],
    '/^[\\w.~-]*$/': ['', '-', '\n!'],
  },
  'exchange/parse-url': {
    '/^https?:\\/\\/[a-z0-9.:-]{1,63}(?:[/?#]|$)/i': ['https://', 'a', '\n!'],
    '/^[\\0-\\x20]+|[\\t\\n\\r]/g': ['', '\t', ''],
    '/^(?:(?:https?|wss?|ftp|file):[/\\\\]*|[/\\\\]{2,})/i': ['', '/', '\n!'],
    '/[/?#\\\\]/': ['', '<!--', '\n!'],
  },
  'exchange/strategy/devices': {
    '/^[1-9]\\d{0,2}$/': ['', '*', '\n!'],
  },
  'exchange/strategy/numbers': {
    '/^-?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[eE][+-]?\\d{1,3})?$/': ['', '3', '\n!'],
  },
  'exchange/strategy/openrtb-fields': {
    '/^[A-Za-z_][\\w-]*$/': ['', 'w', '\n!'],
  },
  'exchange/strategy/schedule': {
    '/^(?:[01]?\\d|2[0-3])$/': ['', 'Z', ''],
  },
  'exchange/strategy/validate/creative': {
    '/^https:/i': ['https:', '_', '\n!'],
    '/^https?:\\/\\//i': ['https?:', '^', ''],
  },
  'exchange/strategy/validate/requirement-text': {
    '/^[aeiou]/': ['aeiou', '\\', '\n!'],
    '/\\.$/': ['', ' ', ''],
  },
  'exchange/strategy/validate/strategy': {
    '/^([^.[]*)(?:\\[(\\d+)\\])?/': ['', '"link":{', '\n!'],
  },
  'exchange/vast/duration': {
    '/^(?:(?:(\\d{1,2}):)?(\\d{1,2}):)?(\\d{1,5})(?:\\.(\\d{1,9}))?$/': ['', '2', ''],
  },
  'exchange/vast/inject-trackers': {
    '/^4(\\.|$)/': ['', 'Z', '\n!'],
  },
  'exchange/vast/locate-ads': {
    '/^\\s*<!\\[CDATA\\[([\\s\\S]*?)\\]\\]>\\s*$/': ['<![CDATA[', ']]>', '!'],
  },
  'exchange/vast/read/read-inline': {
    '/^[a-z]{3}$/i': ['', '*', ''],
    '/^\\d{1,15}(\\.\\d{1,15})?$/': ['', '5', ''],
    '/^\\d{1,15}$/': ['', '5', ''],
  },
  'exchange/vast/read/values': {
    '/^(?:javascript|vbscript):/i': ['vbscript', '^', '\n!'],
    '/[\\t\\n\\r]+/g': ['', '[', '\n!'],
    '/^\\+?(\\d{1,15})(?:[.a-z%]|$)/i': ['', '5', '\n!'],
    '/^\\d{1,9}(\\.\\d{1,9})?$/': ['', '<x:', '\n!'],
    '/^(\\d{1,2}|1\\d\\d)(?:\\.\\d+)?%$/': ['', '1.', '\n!'],
  },
  'exchange/vast/read/vpaid': {
    '/^vpaid/i': ['', ';', '\n!'],
    '/shockwave-flash|javascript|ecmascript/i': ['shockwave', 'w', ''],
  },
  'exchange/vast/read/xml-fragment': {
    '/[&<>\\r]/': ['', '_', ''],
    '/"/g': ['', '"', ''],
    '/\\n/g': ['', '\n', '\n!'],
    '/\\t/g': ['', '\t', '\n!'],
    '/&/g': ['', '&', ''],
    '/</g': ['', '<', ''],
    '/>/g': ['', '>', ''],
    '/\\r/g': ['', '_', ''],
  },
  'exchange/vast/read/xml-tree': {
    '/\\.$/': ['', ' ', ''],
  },
  'exchange/vast/vast-root': {
    '/^[234](\\.\\d+)*$/': ['', 'encoding=', ''],
  },
  'exchange/vast/write/xml-text': {
    '/[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\ufffe\\uffff\\ud800-\\udfff]/gu': ['', '\t', '\n!'],
    '/&/g': ['', '&', ''],
    '/</g': ['', '<', ''],
    '/>/g': ['', '>', ''],
    '/\\r/g': ['', '_', ''],
    '/"/g': ['', '"', ''],
    '/\\n/g': ['', '\n', '\n!'],
    '/\\t/g': ['', '\t', '\n!'],
    '/(\\/\\/\\[[0-9a-f:.]+\\]|\\[[a-z][a-z0-9_]*\\])|\\s+|[[\\]]/gi': ['', '\n', ''],
  },
  'gateways/creatives/collect-files': {
    '/\\/creative\\/([0-9a-f]{64})/g': ['', '/creative/0123456789abcdef', '\n!'],
  },
  'gateways/creatives/fetch/own-files': {
    '/^\\/creative\\/([0-9a-f]{64})$/': ['/creative/', '0', '\n!'],
  },
  'gateways/creatives/fetch/xml-text': {
    '/^\\s*<\\?xml[^>]*?\\sencoding\\s*=\\s*["\']([\\w.-]+)["\']/': ['', '\n', '\n!'],
    '/^\\s*<[^\\0]/': ['', '\n', ''],
    '/;\\s*charset\\s*=\\s*"?([\\w.-]+)/i': ['charset', ';charset', '\n!'],
  },
  'gateways/creatives/load-creative': {
    '/^image\\//i': ['', '<x:', '\n!'],
  },
  'gateways/creatives/probe/animation': {
    '/^GIF8[79]a$/': ['GIF', '=', ''],
  },
  'gateways/creatives/probe/probe-file': {
    '/^\\ufeff/': ['ufeff', '\\', ''],
    '/^WEBVTT(?:[ \\t\\r\\n]|$)/': ['', ',', ''],
    '/^\\s*(?:<\\?xml[^>]*>\\s*)?(?:<!--[^>]*>\\s*)?<(?:\\w+:)?tt[\\s>]/': ['', '\n', ''],
    '/^\\s*\\d+\\r?\\n\\d+:\\d\\d:\\d\\d,\\d+ -->/': ['', '\t', '\n!'],
  },
  'gateways/creatives/probe/image-facts': {
    '/^\\ufeff?\\s*(?:(?:<\\?xml[^>]*>|<!--(?:(?!-->)[\\s\\S])*-->|<!doctype[^>]*>)\\s*)*<(?:\\w+:)?svg[\\s>]/i': [
      '',
      '<!--',
      '\n!',
    ],
  },
  'gateways/creatives/storage/creative-storage': {
    '/^[0-9a-f]{64}$/': ['', '9', '\n!'],
  },
  'gateways/creatives/storage/file-storage': {
    '/^[0-9a-f]{2}$/': 'over the names of folders of our own',
  },
  'gateways/creatives/unwrap/request-macros': {
    '/\\s+/': 'over a list in the source',
    '/\\D/g': 'over an id of our own making',
    '/\\[([A-Z]+)\\]|%5B([A-Z]+)%5D/gi': ['', '[', '\n!'],
  },
  'gateways/creatives/unwrap/hostable-ad': {
    '/mpegurl|dash\\+xml|vnd\\.ms-sstr/i': ['xml', 'd', ''],
    '/\\.(m3u8|mpd)(?:[?#]|$)/i': ['', 'u', '\n!'],
  },
  'gateways/creatives/host/host-vast': {
    '/^\\/creative\\/([0-9a-f]{64})$/': ['', 'a', '\n!'],
  },
  'gateways/creatives/scan/html/close-control': {
    '/([a-z])([A-Z])/g': ['', 'aA', '\n!'],
    '/[^a-z]+/': ['', '.', '\n!'],
  },
  'gateways/creatives/scan/html/gestures': {
    '/\\s+/': ['', '\t', '\n!'],
  },
  'gateways/creatives/scan/html/read-html': {
    '/^[#.]/': ['', '#', '\n!'],
    '/^(?:data|blob|about|javascript):/i': ['', 'javascript', '\n!'],
    '/^(?:$|module$|(?:text|application)\\/(?:x-)?(?:java|ecma)script)/i': ['', 'a', '\n!'],
    '/url/i': ['', 'a', '\n!'],
    '/^javascript:/i': ['', 'javascript', '\n!'],
    '/\\bstylesheet\\b/i': ['', 'stylesheet', '\n!'],
    '/url\\(\\s{0,4}["\']?([^"\')\\s]+)/gi': ['', 'url(', '\n!'],
    '/^on[a-z]+$/': ['', 'on', '\n!'],
    '/^([^=]*=\\s{0,20}["\']?)([^"\'\\s]*)/': ['', '= ', '\n!'],
    '/^["\']?$/': ['', 'a', '\n!'],
    '/\\s+/': ['', '\t', '\n!'],
    '/^(?:https?:)?\\/\\//i': ['', 'https://', '\n!'],
    '/\\$\\{|%%|\\{\\{|\\[[A-Z_]+\\]|clicktag/i': ['', '[A', '\n!'],
    '/^[0-2](?:px)?$/': ['', '1', '\n!'],
    '/\\s+/g': ['', '\t', '\n!'],
    '/display:none|visibility:hidden|(?:^|;)(?:width|height):[0-2]px/': ['', 'width:2', '\n!'],
  },
  'gateways/creatives/scan/html/read-script': {
    '/\\b(?:top|parent)\\.location(?:\\.href)? {0,4}=(?!=)|\\b(?:top|parent)\\.location\\.(?:replace|assign)\\(/g': [
      '',
      'top.location ',
      '\n!',
    ],
    '/<(?:script|iframe|img|a|meta)\\b/i': ['', '<script', '\n!'],
    '/^(?:https?:)?\\/\\/[^\\s"\'<>]+\\.m?js(?:[?#]|$)/i': ['', '//a.js', '\n!'],
    '/^on/': ['', 'a', '\n!'],
    '/^on[a-z]+$/': ['', 'on', '\n!'],
  },
  'gateways/creatives/scan/landing-page': {
    '/^(?:https?:)?\\/\\//i': ['', 'https://', '\n!'],
    '/^(?:www|optout)\\./': ['', 'www.', '\n!'],
  },
  'gateways/creatives/scan/native-markup': {
    '/^https?:\\/\\/[^\\s"\'<>]+$/i': ['', 'https://', '\n!'],
  },
  'gateways/creatives/scan/render/renderer': {
    '/^\\d{2,4}x\\d{2,4}$/': ['', '9', '\n!'],
  },
  'gateways/creatives/scan/sample-values': {
    '/[^a-zA-Z\\d]/g': ['', 'a', '\n!'],
    '/(?:\\$|%24)(?:\\{|%7B)(EXCHANGE_[A-Z_]{1,40})(?:\\}|%7D)/gi': ['', '${EXCHANGE_', '\n!'],
    '/\\[CACHEBUSTING\\]|%5BCACHEBUSTING%5D/gi': ['', '[CACHEBUSTING', '\n!'],
    '/(?:\\$|%24)(?:\\{|%7B)|\\[[A-Z_]+\\]|%5B[A-Z_]+%5D|%%[A-Z_]+%%/i': ['', '[A', '\n!'],
  },
  'gateways/creatives/scan/scan-creative': {
    '/^\\ufeff/': ['', '\\ufeff', '\n!'],
    '/^(?:<\\?xml[^>]{0,200}>\\s{0,40})?(?:<!--[^>]{0,500}-->\\s{0,40})?<(?:\\w{1,20}:)?VAST[\\s>]/i': [
      '',
      '<!--',
      '\n!',
    ],
  },
  'gateways/creatives/scan/scan-html': {
    '/^https?:\\/\\//i': ['', 'https://', '\n!'],
  },
  'gateways/creatives/scan/scan-load': {
    '/no-store|no-cache|private|max-age=0\\b/i': ['', 'max-age=0', '\n!'],
  },
  'gateways/creatives/scan/unwrap-markup': {
    '/AUCTION_(?:PRICE|MBR|MIN_TO_WIN)/': ['', 'AUCTION_MIN_TO_', '\n!'],
  },
  'gateways/creatives/scan/trustworthy': {
    '/^(?:127(?:\\.\\d{1,3}){3}|\\[::1\\]|localhost)$/': ['', 'http://127.1', '\n!'],
    '/http:\\/\\/(?=(?:127(?:\\.\\d{1,3}){3}|localhost)[:/])/gi': ['', 'http://127.1', '\n!'],
  },
  'edge/auction/outgoing-request': {
    '/^,/': ['', ',', '\n!'],
  },
  'edge/recording/shortened': {
    '/\\p{Surrogate}|\\0/gu': ['Surrogate', 'charset=', ''],
  },
  'gateways/http/if-none-match': {
    '/^W\\//': ['', '.', '\n!'],
  },
  'edge/addresses/plain-address': {
    '/^::ffff:(?=\\d+\\.)/': ['::ffff:', '1', '\n!'],
    '/^(?:([\\d.]+):\\d+|\\[([^\\]]+)\\](?::\\d+)?)$/': ['', '1', '\n!'],
  },
  'gateways/edge/http/shed-overload': {
    '/^\\/(?:rtb|vast|ad|cookie_sync|openrtb2\\/(?:auction|amp))?(?:\\?|$)/': ['/openrtb2/', 'a', ''],
  },
  'gateways/edge/openrtb/bid-request-endpoint': {
    '/^(?:application\\/(?:json|openrtb\\+json|octet-stream)|text\\/(?:plain|json))\\s*(?:;|$)/i': [
      'text/plain',
      ' ',
      '\n!',
    ],
  },
  'gateways/edge/openrtb/browser-device': {
    '/^\\s*([a-z]{2,3})(?![a-z])/i': ['', ' ', 'abcd'],
  },
  'gateways/edge/openrtb/client-hints': {
    '/"([^"\\\\]{1,64})"\\s?;\\s?v="([^"\\\\]{1,32})"/g': ['', '"a";v="1', ''],
    '/^"([^"\\\\]{1,64})"$/': ['"', 'a', ''],
  },
  'gateways/edge/sync/sync-macros': {
    '/(?:\\$|%24)(?:\\{|%7[Bb])([A-Z_]+)(?:\\}|%7[Dd])/g': ['', '${', '\n!'],
  },
  'gateways/edge/sync/sync-page': {
    '/[&"<>]/g': ['', '<', '\n!'],
  },
  'edge/viewer/viewer-cookie': {
    '/^[\\w-]{22}$/': ['', '-', '\n!'],
    '/^([\\w-]{8}):([0-9a-z]{1,6}):([^:/]+)$/': ['', 'Z', '\n!'],
    '/^(?!\\$?[{[])[\\x21-\\x7e]+$/': ['', ':', '\n!'],
  },
  'gateways/edge/tags/query': {
    '/^(?:\\$\\{\\w+\\}|\\[\\w+\\]|%%\\w+%%|\\{\\{?\\w+\\}?\\}|__\\w+__|\\$\\$\\w+\\$\\$)$/': ['', '_', '\n!'],
    '/^-?\\d+(?:\\.\\d+)?$/': ['', '0', '\n!'],
    '/^-?\\d{1,9}$/': ['', '0', ''],
  },
  'gateways/edge/tags/sizes': {
    '/^\\d{1,5}$/': ['', '1', '\n!'],
  },
  'gateways/edge/tags/tag-js/tag': {
    '/^ad[A-Z]/': 'runs in a page, over the names and values of its own attributes',
    '/[x,]/': 'runs in a page, over the names and values of its own attributes',
    '/[A-Z]/g': 'runs in a page, over the names and values of its own attributes',
    '/^[01]$/': ['', '1', '\n!'],
    '/(^|,)[1-9]/': ['', ',0', '\n!'],
  },
  'edge/tracking/cap-seal': {
    '/^([1-9]\\d{0,3})\\.(.*)$/s': ['', '1.', '\n!'],
  },
  'edge/tracking/query': {
    '/\\p{Surrogate}/gu': ['', '1.', ''],
  },
  'edge/impressions/spool-folders': {
    '/\\.(?:spool|foreign)$/': 'over the names of folders of our own',
  },
  'edge/tracking/verify': {
    '/^([0-9a-z]{1,11})\\.([\\w-]{22})\\.([\\w-]{22})$/': ['', '${', '\n!'],
    '/^(0|[1-9]\\d{0,15})$/': ['', '1', ''],
    '/^[\\w~-]*$/': ['', 'a', '\n!'],
  },
  'edge/viewer/names-one-device': {
    '/^(?:[0-]*$|undefined$|[[{$%])/i': ['', '0', '\n!'],
  },
  'edge/addresses/ip-address': {
    '/%[0-9a-zA-Z.:-]+$/': ['%', 'a', '\n!'],
  },
  'edge/addresses/network-set': {
    '/^([^/]+)(?:\\/(\\d{1,3}))?$/': ['', '-->', '\n!'],
  },
  'gateways/http/public-url': {
    '/(^|\\.)(localhost|local|internal|test|home\\.arpa)$/': ['', '.local', '.\n!'],
    '/\\.$/': ['', '.', '\n!'],
  },
  'gateways/http/request-id': {
    '/^[A-Za-z0-9._:/+=-]{1,128}$/': ['', '=', ''],
  },
  'gateways/http/upgrades': {
    '/^(connection|upgrade|http2-settings)$/i': ['', '_', '\n!'],
  },
  'gateways/http/uuid': {
    '/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i': ['', 'a', '\n!'],
  },
  'gateways/live/metrics-socket': {
    '/^[+/0-9A-Za-z]{22}==$/': ['', 'z', '\n!'],
  },
  'gateways/management/identity/api-keys': {
    '/^pk_(live|sandbox)_[\\x21-\\x7e]{1,200}$/': ['sandbox', '//[', '\n!'],
  },
  'gateways/management/identity/passwords/device-cookie': {
    '/^([\\w-]{22})\\.(\\d{1,12})\\.([\\w-]{43})$/': ['', 'a', '\n!'],
  },
  'gateways/management/identity/passwords/password-hash': {
    '/^\\$scrypt\\$ln=(\\d{1,2}),r=(\\d{1,2}),p=(\\d{1,2})\\$([\\w-]+)\\$([\\w-]+)$/': ['ln=', '[', '\n!'],
  },
  'gateways/management/identity/request-ids': {
    '/^[\\x20-\\x7e]{1,255}$/': ['', '(', '\n!'],
  },
  'gateways/management/identity/session-token': {
    '/^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\\.[\\w-]{22}$/': ['', '2', ''],
  },
  'gateways/management/identity/source-keys': {
    '/^(pub|dsp)_\\d{1,12}_[0-9a-f]{40}$/': ['pub', '?', '\n!'],
  },
  'gateways/management/openapi/describe-route': {
    '/:(\\w+)/g': 'over the routes and names of the API itself',
    '/s$/': 'over the routes and names of the API itself',
  },
  'gateways/management/openapi/webhooks': {
    '/[._]/': 'over the names of events',
  },
  'gateways/management/resources/creatives/preview/filled-markup': {
    '/\\$\\{(?:AUCTION|EXCHANGE)_[A-Z_]{1,40}(?::[A-Za-z0-9]{1,20})?\\}/g': ['', '${AUCTION_', ''],
  },
  'gateways/management/resources/creatives/preview/inert-html': {
    '/<(\\/?)(?:script|noscript|i?frame|frameset|object|embed|portal|fencedframe|link|base|meta|form)(?=[\\s/>])/gi': [
      '',
      '<frameset',
      '',
    ],
    '/<(?:script|iframe|frame|object|embed)(?=[\\s/>])/i': ['', '<script', ''],
    '/<(\\/?)(?:a|area)(?=[\\s/>])/gi': ['', '<area', ''],
    '/<(img|video|audio|source|a)(\\s[^<>]{0,4096})/gi': ['', '<img ', ''],
    '/\\s(src|href|poster|width|height|style|hidden)(?![\\w-])(?:\\s{0,9}=\\s{0,9}(?:"([^"]*)(?:"|$)|\'([^\']*)(?:\'|$)|([^\\s"\'<>]+)))?/gi':
      ['', ' src="', ''],
    '/\\burl\\(["\']?(https?:[^"\'()\\s<>]{1,2048})/gi': ['', 'url(https:', ''],
    '/\\b(?:width|height):[0-3](?:\\.\\d+)?(?:px|;|$)/': ['width:0.', '1', 'x'],
    '/\\b(?:display:none|visibility:hidden|opacity:0(?:;|$))/': ['', 'opacity:0', ''],
    '/\\.(?:jpe?g|png|webp|avif|svg)$/i': ['', '.png', 'x'],
    '/\\s/g': ['', ' ', ''],
    '/^https?:\\/\\//i': ['', 'https:', ''],
  },
  'gateways/management/resources/creatives/preview/native-content': {
    '/^https?:\\/\\//i': ['', 'https:', ''],
  },
  'gateways/management/resources/creatives/preview/preview': {
    '/^\\s{0,100}(?:<\\?xml|<!--|<vast[\\s>])/i': ['', ' ', 'x'],
    '/^https?:\\/\\//i': ['', 'https:', ''],
  },
  'gateways/management/resources/creatives/rules': {
    '/^[0-9a-f]{32}$/': ['', 'a', '\n!'],
    '/^(?=.{1,253}$)[^\\s/:?#@,.]+(?:\\.[^\\s/:?#@,.]+)*$/': ['', 'a.', '\n!'],
    '/^IAB[1-9]\\d?(?:-[1-9]\\d?)?$/': ['IAB', '1', '\n!'],
    '/^[1-9]\\d{0,2}$/': ['', '1', '\n!'],
    '/^[0-9a-f-]{36}$/': ['', 'a', '\n!'],
  },
  'gateways/management/resources/demand-sources/demand-source': {
    '/^[^${}]+$/': ['', '%5B', '\n!'],
    '/^https?:$/': ['https?:', 't', ''],
  },
  'gateways/edge/prebid-server/amp-request': {
    '/^1[YNyn-]{3}$/': ['1', 'Y', ''],
  },
  'gateways/edge/prebid-server/prebid-server': {
    '/^[\\w-]{1,64}$/': ['', 'a', '\n!'],
  },
  'gateways/management/resources/feed/cursor': {
    '/^\\d{13} (?:(?:impression|win|creative)_[\\w-]{1,64})?$/': ['', '1', ''],
  },
  'gateways/management/resources/sandbox/test-bid/parse-response-body': {
    '/\\p{Surrogate}/gu': ['', '1.', ''],
  },
  'gateways/management/resources/webhooks/webhook': {
    '/^(.+\\.)?localhost\\.?$/': ['', '.', '\n!'],
    '/^https?:$/': ['https?:', 't', ''],
  },
  'gateways/management/routing/check-input': {
    '/^-?\\d{1,15}$/': ['', '0', '\n!'],
  },
  'gateways/management/routing/preconditions': {
    '/^"(\\d{1,15})(?:-[\\w.-]*)?"$/': ['', '|', '\n!'],
  },
  'gateways/management/routing/well-formed': {
    '/\\p{Surrogate}/u': ['', '$', '\n!'],
  },
  'gateways/management/routing/write-csv': {
    '/^[=+\\-@\\t\\r]/': ['', '$', '\n!'],
  },
  'gateways/verification/ads-txt-fetcher': {
    '/^https?:$/': ['https?:', 't', ''],
    '/^\\s*text\\/plain\\s*(;|$)/i': ['', '\n', '\n!'],
  },
};

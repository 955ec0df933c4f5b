import { adsTxtLocation } from '#exchange/ads-txt/ads-txt-location';
import { domainsOfVariable, parseAdsTxt } from '#exchange/ads-txt/parse-ads-txt';
import { rootDomainOf } from '#exchange/ads-txt/root-domain';

export const adsTxtSamples = [
  'exchange.example, pub-1, DIRECT, f08c47fec0942fa0 # ours\r\nother.example,7,RESELLER;x=y\n',
  '\ufeffOWNERDOMAIN=site.example\nMANAGERDOMAIN = agency.example, US\nsubdomain=sub.site.example\r',
  'contact=%41%zz\n#;,,=\nplaceholder.example, placeholder, DIRECT, placeholder',
];

export function readAdsTxt(text: string): void {
  const file = parseAdsTxt(text);
  for (const name of file.variables.keys()) domainsOfVariable(file, name);
  const [first = ''] = text.split('\n', 1);
  rootDomainOf(first);
  adsTxtLocation({ domain: first, type: 'web', developerDomain: null });
  adsTxtLocation({ domain: first, type: 'mobile', developerDomain: first });
}

import { BlockList, isIPv6 } from 'node:net';
import { expect } from 'chai';
import { build, compileCheck, folderOf, type Labels, type Manifest, OVERLAYS, podOf, selects } from './manifests.ts';

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port?: number | string }[];
}

interface Peer {
  readonly namespaceSelector?: { readonly matchLabels: Labels };
  readonly podSelector?: { readonly matchLabels?: Labels };
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

/** Addresses that belong to a network, a host or a cluster, and one of the cloud that gives out credentials. */
const PRIVATE = ['10.96.0.1', '172.16.0.9', '192.168.1.1', '100.64.0.1', '169.254.169.254', '127.0.0.1', '0.0.0.0'];
const PRIVATE_6 = ['::1', 'fd00:ec2::254', 'fe80::1', '::ffff:10.0.0.1', '64:ff9b::a00:1'];
const PUBLIC = ['8.8.8.8', '172.15.255.255', '172.32.0.1', '2606:4700::1111'];

function inside(address: string, cidr: string): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  const [network, bits] = cidr.split('/') as [string, string];
  if (isIPv6(network) !== isIPv6(address)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list.check(address, family);
}

for (const overlay of OVERLAYS) {
  describe(`network policies of Kubernetes: ${overlay}`, () => {
    let documents: readonly Manifest[];

    before(function () {
      this.timeout(300_000);
      compileCheck(this);
      documents = build(folderOf(overlay)).documents[folderOf(overlay)]!;
    });

    const podLabels = (name: string): Labels =>
      podOf(documents.find((one) => podOf(one) !== null && one.metadata.name === name)!).metadata.labels;
    const policiesOf = (name: string) =>
      documents.filter(({ kind, spec }) => kind === 'NetworkPolicy' && selects(spec.podSelector, podLabels(name)));
    const rulesOf = (name: string, way: 'ingress' | 'egress'): readonly Rule[] =>
      policiesOf(name).flatMap(({ spec }) => spec[way] ?? []);
    const reaches = (name: string, address: string) =>
      rulesOf(name, 'egress')
        .flatMap(({ to = [] }) => to)
        .some(
          ({ ipBlock }) =>
            ipBlock &&
            inside(address, ipBlock.cidr) &&
            !(ipBlock.except ?? []).some((except) => inside(address, except)),
        );

    it('refuse what none of them names, to and from every pod', () => {
      const denying = documents.find(({ metadata }) => metadata.name === 'default-deny')!;
      expect(denying.spec).to.deep.equal({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    });

    it('lead edges, management and scheduler to public addresses alone, and actors and audit to none', () => {
      for (const name of ['edge', 'management', 'scheduler']) {
        for (const address of PUBLIC) expect(reaches(name, address), `${name} to ${address}`).to.equal(true);
        for (const address of [...PRIVATE, ...PRIVATE_6]) {
          expect(reaches(name, address), `${name} to ${address}`).to.equal(false);
        }
      }
      for (const name of ['actors', 'audit']) {
        for (const address of PUBLIC) expect(reaches(name, address), `${name} to ${address}`).to.equal(false);
      }
    });

    it('lead every process to Redis, Sentinels and MongoDB', () => {
      for (const name of ['edge', 'management', 'scheduler', 'actors', 'audit']) {
        const ports = rulesOf(name, 'egress').flatMap((rule) => rule.ports?.map(({ port }) => port) ?? []);
        expect(ports, name).to.include.members([53, 6379, 26379, 27017]);
      }
    });

    it('let names be asked of the cluster’s own name service', () => {
      const [rule] = documents.find(({ metadata }) => metadata.name === 'name-service')!.spec.egress;
      expect(rule.to).to.deep.equal([
        {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
          podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
        },
      ]);
    });

    it('lead to the operations port from monitoring alone, and to what callers use from the ingress controller', () => {
      for (const name of ['edge', 'management', 'scheduler', 'actors']) {
        const allowed = rulesOf(name, 'ingress').flatMap(({ ports = [], from: peers = [] }) =>
          ports.flatMap(({ port }) => peers.map((peer) => ({ port, peer }))),
        );
        const namespaces = (port: string) =>
          allowed
            .filter((one) => one.port === port)
            .map(({ peer }) => peer.namespaceSelector?.matchLabels['kubernetes.io/metadata.name']);
        expect(namespaces('ops'), name).to.deep.equal(['monitoring']);
        const called = overlay === 'single-region' && (name === 'edge' || name === 'management');
        expect(namespaces('http'), name).to.deep.equal(called ? ['ingress-nginx'] : []);
      }
    });
  });
}

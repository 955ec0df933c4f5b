import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parse } from 'yaml';

interface Service {
  readonly image?: string;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly command?: readonly string[];
  readonly depends_on?: readonly string[];
}

const read = async (path: string) => parse(await readFile(path, 'utf8'), { merge: true });

describe('docker-compose.monitoring.yml', () => {
  let services: Record<string, Service>;
  let volumes: Record<string, object>;
  before(async () => {
    ({ services, volumes } = await read('docker-compose.monitoring.yml'));
  });

  it('pins its images to a release', () => {
    for (const [name, { image }] of Object.entries(services))
      expect(image, name).to.match(/^[\w./-]+:v?\d+\.\d+\.\d+$/);
  });

  it('mounts files and folders that are there, to be read alone, and volumes that it declares', () => {
    for (const [name, { volumes: mounts = [] }] of Object.entries(services)) {
      for (const mount of mounts) {
        const [source, , mode] = mount.split(':');
        if (!source!.startsWith('.')) expect(volumes, name).to.have.property(source!);
        else {
          expect(existsSync(source!), `${source} of ${name}`).to.equal(true);
          expect(mode, mount).to.equal('ro');
        }
      }
    }
  });

  it('opens no port to other machines, and none that the exchange has', async () => {
    const { services: exchange } = (await read('docker-compose.yml')) as { services: Record<string, Service> };
    const taken = Object.values(exchange).flatMap(({ ports = [] }) => ports.map((port) => port.split(':')[0]));
    for (const { ports = [] } of Object.values(services))
      for (const port of ports) {
        const [address, published] = port.split(':');
        expect(address).to.equal('127.0.0.1');
        expect(taken).to.not.include(published);
      }
    expect(Object.keys(exchange)).to.not.include.members(Object.keys(services));
  });

  it('has Prometheus scrape every process of the exchange, and Grafana read that Prometheus', async () => {
    const { services: exchange } = (await read('docker-compose.yml')) as { services: Record<string, Service> };
    const { scrape_configs, rule_files, global } = await read('deploy/prometheus/prometheus.yml');
    const targets = scrape_configs.flatMap(({ static_configs }: { static_configs: { targets: string[] }[] }) =>
      static_configs.flatMap((config) => config.targets),
    );
    const processes = Object.entries(exchange).filter(([, { image }]) => image === 'ad-exchange');
    expect(targets).to.have.members(processes.map(([name]) => `${name}:9090`));
    for (const file of rule_files) expect(existsSync(`deploy/prometheus/${file}`)).to.equal(true);
    const { datasources } = await read('deploy/grafana/provisioning/datasources/prometheus.yml');
    expect(datasources).to.have.length(1);
    const { hostname, port } = new URL(datasources[0].url);
    expect(services).to.have.property(hostname);
    expect(port).to.equal('9090');
    expect(datasources[0].jsonData.timeInterval).to.equal(global.scrape_interval);
  });

  it('has Grafana read the dashboards from where they are mounted', async () => {
    const { providers } = await read('deploy/grafana/provisioning/dashboards/exchange.yml');
    const [{ options }] = providers;
    const mounted = services.grafana!.volumes!.find((mount) => mount.split(':')[1] === options.path)!;
    expect(statSync(mounted.split(':')[0]!).isDirectory()).to.equal(true);
    expect(mounted).to.match(/^\.\/deploy\/grafana\/dashboards:/);
  });
});

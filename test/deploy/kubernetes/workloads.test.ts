import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { writtenFolders } from '#composition/assert-writable';
import { creativesStagingFolder } from '#composition/create-providers';
import { PROCESSES_WITHIN_MS } from '#gateways/operations-deadlines';
import { readSettings, type Settings } from '#settings';
import { SECRET_SETTINGS, SETTING_NAMES } from '#settings/declared-settings';
import { build, compileCheck, folderOf, type Manifest, OVERLAYS, podOf, selects } from './manifests.ts';

/** What AWS' client reads by itself. */
const OF_OTHERS = new Set(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'HOME']);
/** Values of the secrets that the overlays mount, by file. */
const SECRETS: Readonly<Record<string, string>> = {
  'secret-key': 'x'.repeat(44),
  'redis-url': 'redis://redis:6379',
  'mongodb-url': 'mongodb://mongo:27017/exchange?replicaSet=rs0',
  'bootstrap-api-key': 'pk_live_of-this-test',
  'bootstrap-sandbox-api-key': 'pk_sandbox_of-this-test',
  'admin-password': 'a phrase of this test',
};
/** A stop after the drain takes this long at most, then the process cuts it off (main.ts). */
const STOP_MS = 20_000;
/** Files of creatives on their way, or the files of an hour of log-level data, may take this much. */
const STAGED_BYTES = 8 * 1024 ** 3;
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const composition = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true });
const alerts = readFileSync('deploy/prometheus/alerts.yml', 'utf8');
/** The jobs that expressions of alerts name. */
const scrapeJobs = [...new Set([...alerts.matchAll(/\bjob="([^"]+)"/g)].map(([, job]) => job))];

/** The bytes of a quantity of Kubernetes with a binary suffix. */
function bytesOf(quantity = ''): number {
  const [, number, suffix] = /^(\d+)(Ki|Mi|Gi)$/.exec(quantity) ?? [];
  return Number(number) * 1024 ** (['Ki', 'Mi', 'Gi'].indexOf(suffix!) + 1);
}

for (const overlay of OVERLAYS) {
  describe(`workloads of Kubernetes: ${overlay}`, () => {
    let documents: readonly Manifest[];
    let folder: string;

    before(function () {
      this.timeout(300_000);
      compileCheck(this);
      documents = build(folderOf(overlay)).documents[folderOf(overlay)]!;
      folder = mkdtempSync(join(tmpdir(), 'workloads-test-'));
      for (const [name, value] of Object.entries(SECRETS)) writeFileSync(join(folder, name), value);
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    const withPods = () => documents.filter((one) => podOf(one) !== null);
    const containerOf = (one: Manifest) => podOf(one).spec.containers[0];
    const exchange = () => withPods().filter((one) => containerOf(one).name === 'exchange');
    const serving = () => exchange().filter(({ kind }) => kind !== 'CronJob');
    const named = (kind: string, name: string) =>
      documents.find((one) => one.kind === kind && one.metadata.name === name);

    /** The environment of a container: of its ConfigMap, then its own. */
    function environmentOf(one: Manifest): Record<string, string> {
      const { envFrom = [], env = [] } = containerOf(one);
      const all: Record<string, string> = {};
      for (const { configMapRef } of envFrom) Object.assign(all, named('ConfigMap', configMapRef.name)!.data);
      for (const { name, value } of env) if (value !== undefined) all[name] = value;
      return all;
    }

    /** Settings as the program reads them, with files of this test in place of the mounted ones. */
    function settingsOf(one: Manifest): Settings {
      const environment = environmentOf(one);
      for (const [name, value] of Object.entries(environment)) {
        if (!name.endsWith('_FILE')) continue;
        const mount = containerOf(one).volumeMounts.find(({ mountPath }: { mountPath: string }) =>
          value.startsWith(`${mountPath}/`),
        );
        const volume = podOf(one).spec.volumes.find((other: { name: string }) => other.name === mount?.name);
        expect(volume?.secret, `${name} of ${one.metadata.name} is in a secret that is mounted`).not.to.equal(
          undefined,
        );
        environment[name] = join(folder, value.slice(mount.mountPath.length + 1));
      }
      return readSettings({ OPS_HOST: '0.0.0.0', ...environment });
    }

    it('has each role, in a process of its own', () => {
      const roles = serving().map((one) => [one.kind, one.metadata.name, ...settingsOf(one).roles]);
      expect(roles).to.have.deep.members([
        ['Deployment', 'actors', 'actors'],
        ['Deployment', 'management', 'management'],
        ['Deployment', 'scheduler', 'scheduler'],
        ['StatefulSet', 'edge', 'edge'],
      ]);
    });

    it('names settings that there are, and none of the secrets but by a file', () => {
      for (const one of exchange()) {
        const names = [
          ...Object.keys(environmentOf(one)),
          ...(containerOf(one).env ?? []).map(({ name }: { name: string }) => name),
        ];
        for (const name of names.filter((other) => !OF_OTHERS.has(other))) {
          expect(SETTING_NAMES.has(name), `${name} of ${one.metadata.name}`).to.equal(true);
          expect(SECRET_SETTINGS, `${name} of ${one.metadata.name}`).not.to.include(name);
        }
      }
    });

    it('runs programs that the build has', () => {
      for (const one of exchange()) {
        const { command = [], args = [] } = containerOf(one);
        const files = [...command, ...args].filter((word: string) => /^(?:dist|bin)\//.test(word));
        expect(files.length, one.metadata.name).to.equal(command.length === 0 ? 0 : 1);
        for (const file of files) expect(existsSync(file), `${file} of ${one.metadata.name}`).to.equal(true);
      }
    });

    it('gives first credentials to management alone', () => {
      for (const one of exchange()) {
        const first = Object.keys(environmentOf(one)).filter((name) => /^(BOOTSTRAP|ADMIN_PASSWORD)/.test(name));
        expect(first.length, one.metadata.name).to.equal(one.metadata.name === 'management' ? 3 : 0);
      }
    });

    it('agrees with docker-compose.yml on what all processes must say alike', () => {
      for (const name of ['SECRET_KEY_FILE', 'PUBLIC_BASE_URL', 'PUBLIC_EDGE_URL']) {
        const values = new Set(exchange().map((one) => environmentOf(one)[name]));
        expect(values.size, name).to.equal(1);
        expect([...values][0], name).to.be.a('string');
        expect(composition.services['edge-1'].environment, name).to.have.property(name);
      }
      const servers = withPods().filter((one) => containerOf(one).name !== 'exchange');
      const images = new Set(servers.map((one) => containerOf(one).image));
      const ofCompose = ['redis', 'mongo'].map((name) => composition.services[name].image);
      expect([...images]).to.have.members(overlay === 'kind' ? ofCompose : []);
    });

    it('pins images, and runs this release', () => {
      for (const one of withPods()) {
        const [, name, tag] = /^(.+?)(?::([\w.-]+))?$/.exec(containerOf(one).image)!;
        expect(tag, `${one.metadata.name} runs ${name}`).to.match(/^\d/).and.not.equal('latest');
      }
      for (const one of exchange()) expect(containerOf(one).image).to.match(new RegExp(`ad-exchange:${version}$`));
    });

    it('is of the profile `restricted`, which the namespace enforces', () => {
      expect(named('Namespace', 'exchange')!.metadata.labels).to.include({
        'pod-security.kubernetes.io/enforce': 'restricted',
      });
      for (const one of withPods()) {
        const { containers, initContainers, securityContext, volumes = [], ...pod } = podOf(one).spec;
        const what = `${one.kind} ${one.metadata.name}`;
        expect(securityContext, what).to.deep.include({
          runAsNonRoot: true,
          seccompProfile: { type: 'RuntimeDefault' },
        });
        expect(securityContext.runAsUser, what).to.be.above(0);
        expect(pod.automountServiceAccountToken, what).to.equal(false);
        expect([pod.hostNetwork, pod.hostPID, pod.hostIPC], what).to.deep.equal([undefined, undefined, undefined]);
        expect([containers.length, initContainers], what).to.deep.equal([1, undefined]);
        expect(containers[0].securityContext, what).to.deep.equal({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          privileged: false,
          capabilities: { drop: ['ALL'] },
        });
        for (const { name, ...source } of volumes) {
          expect(['secret', 'emptyDir', 'persistentVolumeClaim'], `${what}: ${name}`).to.include(
            Object.keys(source)[0],
          );
        }
      }
      const user = /^USER (\d+):(\d+)$/m.exec(readFileSync('Dockerfile', 'utf8'))!.slice(1).map(Number);
      for (const one of exchange()) {
        const { runAsUser, runAsGroup, fsGroup } = podOf(one).spec.securityContext;
        expect([runAsUser, runAsGroup, fsGroup]).to.deep.equal([...user, user[1]]);
      }
    });

    it('mounts what each role writes, and nothing that is not there', () => {
      const mountsOf = (one: Manifest): readonly { name: string; mountPath: string; readOnly?: boolean }[] =>
        containerOf(one).volumeMounts;
      for (const one of withPods()) {
        const { volumes = [] } = podOf(one).spec;
        const claimed = one.spec.volumeClaimTemplates ?? [];
        const there = [
          ...volumes.map(({ name }: { name: string }) => name),
          ...claimed.map(({ metadata }: Manifest) => metadata.name),
        ];
        expect(
          mountsOf(one).map(({ name }) => name),
          one.metadata.name,
        ).to.have.members(there);
        for (const { persistentVolumeClaim: claim } of volumes) {
          if (claim) expect(named('PersistentVolumeClaim', claim.claimName), claim.claimName).not.to.equal(undefined);
        }
      }
      const writes = (one: Manifest, path: string) => {
        const under = (mount: { mountPath: string }) => resolve('/exchange', path).startsWith(mount.mountPath);
        return mountsOf(one).some((mount) => under(mount) && !mount.readOnly);
      };
      for (const one of serving()) {
        const settings = settingsOf(one);
        const { roles, dataDir, creativesDir, creativesS3 } = settings;
        const name = one.metadata.name;
        const data = roles.has('edge') || roles.has('management');
        expect(writes(one, dataDir), `${name} writes DATA_DIR`).to.equal(data);
        for (const [setting, path] of writtenFolders(settings)) {
          expect(writes(one, path), `${name} writes ${path} (${setting})`).to.equal(true);
        }
        if (roles.has('management') || roles.has('scheduler')) {
          expect(writes(one, creativesStagingFolder(settings)), `${name} stages creatives`).to.equal(true);
        }
        if (creativesS3 === null && roles.has('edge')) {
          const read = mountsOf(one).find(({ mountPath }) => mountPath === creativesDir);
          expect(read, 'edges read creatives').to.include({ readOnly: true });
        }
      }
    });

    it('has room for what is staged on its way into a bucket', () => {
      const roomOf = (one: Manifest, path: string) => {
        const above = containerOf(one)
          .volumeMounts.filter(({ mountPath }: { mountPath: string }) => `${path}/`.startsWith(`${mountPath}/`))
          .sort((a: { mountPath: string }, b: { mountPath: string }) => b.mountPath.length - a.mountPath.length);
        const volume = podOf(one).spec.volumes.find((other: { name: string }) => other.name === above[0]?.name);
        // A claim is as large as an overlay says.
        return volume?.persistentVolumeClaim ? Number.POSITIVE_INFINITY : bytesOf(volume?.emptyDir?.sizeLimit);
      };
      for (const one of serving()) {
        const settings = settingsOf(one);
        if (settings.roles.has('scheduler')) {
          expect(roomOf(one, '/tmp'), 'an hour of log-level data').to.be.at.least(STAGED_BYTES);
        }
        if (settings.roles.has('management') || settings.roles.has('scheduler')) {
          const staging = resolve('/exchange', creativesStagingFolder(settings));
          expect(roomOf(one, staging), `${one.metadata.name}: creatives`).to.be.at.least(STAGED_BYTES);
        }
      }
    });

    it('keeps the spool of an edge, whatever becomes of its pod', () => {
      const { spec } = named('StatefulSet', 'edge')!;
      expect(spec.persistentVolumeClaimRetentionPolicy).to.deep.equal({ whenScaled: 'Retain', whenDeleted: 'Retain' });
      expect(spec.volumeClaimTemplates.map(({ metadata }: Manifest) => metadata.name)).to.deep.equal(['spool']);
      expect(named('Service', spec.serviceName)!.spec.clusterIP).to.equal('None');
    });

    it('probes paths and ports that the process has, and starts no process again for an outage of a store', () => {
      for (const one of serving()) {
        const { ports, startupProbe, livenessProbe, readinessProbe } = containerOf(one);
        const settings = settingsOf(one);
        const portOf = (name: string) => ports.find((port: { name: string }) => port.name === name)?.containerPort;
        expect(portOf('ops')).to.equal(settings.opsPort);
        if (settings.roles.has('edge')) expect(portOf('http')).to.equal(settings.edgePort);
        if (settings.roles.has('management')) expect(portOf('http')).to.equal(settings.port);
        expect(livenessProbe.httpGet).to.deep.equal({ path: '/livez', port: 'ops' });
        expect(startupProbe.httpGet).to.deep.equal({ path: '/readyz', port: 'ops' });
        expect(startupProbe.periodSeconds * startupProbe.failureThreshold * 1000).to.be.at.least(
          4 * settings.startWaitMs,
        );
        const excluded = { edge: '?exclude=log&exclude=store', management: '?exclude=log' }[one.metadata.name] ?? '';
        expect(readinessProbe.httpGet).to.deep.equal({ path: `/readyz${excluded}`, port: 'ops' });
        // Or it would never hear which server is away.
        for (const { timeoutSeconds } of [startupProbe, readinessProbe])
          expect(timeoutSeconds * 1000, one.metadata.name).to.be.above(PROCESSES_WITHIN_MS);
      }
    });

    it('gives a process the time to be missed, to drain and to end', () => {
      for (const one of serving()) {
        const { drainMs, roles } = settingsOf(one);
        const { terminationGracePeriodSeconds: grace } = podOf(one).spec;
        expect(grace * 1000, one.metadata.name).to.be.at.least(drainMs + STOP_MS);
        const { periodSeconds, failureThreshold } = containerOf(one).readinessProbe;
        if (roles.has('edge') || roles.has('management')) {
          expect(drainMs, one.metadata.name).to.be.above(periodSeconds * failureThreshold * 1000);
        }
      }
    });

    it('has selectors that take pods, and ports that these pods have', () => {
      const pods = withPods();
      const taken = (labels: Record<string, string>) =>
        pods.filter((one) => selects({ matchLabels: labels }, podOf(one).metadata.labels ?? {}));
      for (const { kind, metadata, spec } of documents) {
        const what = `${kind} ${metadata.name}`;
        if (kind === 'Deployment' || kind === 'StatefulSet') {
          const chosen = taken(spec.selector.matchLabels).map((one) => one.metadata.name);
          expect(chosen, what).to.deep.equal([metadata.name]);
          for (const { labelSelector } of spec.template.spec.topologySpreadConstraints ?? []) {
            expect(
              taken(labelSelector.matchLabels).map((one) => one.metadata.name),
              what,
            ).to.deep.equal(chosen);
          }
        }
        if (kind === 'PodDisruptionBudget') {
          expect(
            taken(spec.selector.matchLabels).map((one) => one.metadata.name),
            what,
          ).to.deep.equal([metadata.name]);
          expect(spec.maxUnavailable, what).to.equal(1);
        }
        if (kind === 'PodMonitor') {
          expect(taken(spec.selector.matchLabels), what).to.have.members(exchange());
          for (const { port, path, relabelings } of spec.podMetricsEndpoints) {
            expect([port, path], what).to.deep.equal(['ops', '/metrics']);
            const job = relabelings?.find(({ targetLabel }: { targetLabel: string }) => targetLabel === 'job');
            expect(scrapeJobs, `${what} names the job that alerts know`).to.deep.equal([job?.replacement]);
          }
        }
        if (kind === 'Service') {
          const [pod, ...others] = taken(spec.selector);
          expect(others, what).to.have.length(0);
          const names = containerOf(pod!).ports.map(({ name }: { name: string }) => name);
          for (const { targetPort } of spec.ports) expect(names, what).to.include(targetPort);
        }
        if (kind === 'HorizontalPodAutoscaler') {
          const target = named(spec.scaleTargetRef.kind, spec.scaleTargetRef.name)!;
          expect(target.spec.replicas, `${what} alone says how many`).to.equal(undefined);
          expect(containerOf(target).resources.requests.cpu, `${what} counts by it`).to.be.a('string');
          expect(settingsOf(target).partitions, what).to.be.at.least(spec.maxReplicas);
        }
        if (kind === 'Ingress') {
          for (const { http } of spec.rules) {
            for (const { backend } of http.paths) {
              const service = named('Service', backend.service.name);
              const ports = service!.spec.ports.map(({ name }: { name: string }) => name);
              expect(ports, what).to.include(backend.service.port.name);
            }
          }
        }
      }
      expect(documents.filter(({ kind }) => kind === 'PodDisruptionBudget')).to.have.length(serving().length);
    });

    it('says how much each container takes', () => {
      for (const one of withPods()) {
        const { requests, limits } = containerOf(one).resources;
        expect(requests, one.metadata.name).to.have.all.keys('cpu', 'memory');
        expect(limits, `${one.metadata.name}: a limit of CPU would throttle`).to.have.all.keys('memory');
      }
    });

    it('believes no more proxies than there are, whose names URLs have', () => {
      const hosts = documents
        .filter(({ kind }) => kind === 'Ingress')
        .flatMap(({ spec }) => spec.rules.map(({ host }: { host: string }) => host));
      for (const one of serving().filter((other) => ['edge', 'management'].includes(other.metadata.name))) {
        const { trustProxyHops, publicBaseUrl, publicEdgeUrl, publicCreativesUrl } = settingsOf(one);
        expect(trustProxyHops).to.equal(hosts.length === 0 ? 0 : 1);
        if (hosts.length === 0) continue;
        const urls = [publicBaseUrl, publicEdgeUrl, publicCreativesUrl];
        expect(hosts).to.have.members(urls.map((url) => new URL(url).hostname));
      }
    });
  });
}

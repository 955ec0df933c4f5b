import { join } from 'node:path';
import { namesThisMachine } from '../gateways/http/local-name.ts';
import type { StatedSettings } from './declared-settings.ts';
import { ROLES } from './forms.ts';

/** The values of all settings, with the defaults that depend on other settings filled in. */
export type ResolvedSettings = Readonly<ReturnType<typeof resolveSettings>>;

export function resolveSettings(stated: StatedSettings) {
  const { creativesS3Bucket, creativesS3Endpoint, creativesS3Region, ...others } = stated;
  const { logLevelDataUrl, logLevelDataS3Endpoint, logLevelDataS3Region, ...alone } = others;
  const { dataDir, mongodbUrl, redisUrl, ownDomain } = stated;
  const publicBaseUrl = stated.publicBaseUrl ?? `http://localhost:${stated.port}`;
  const ownRegionUrl = stated.regionUrls.find(({ code }) => code === stated.region)?.url;
  const publicEdgeUrl = stated.publicEdgeUrl ?? ownRegionUrl ?? `http://localhost:${stated.edgePort}`;
  const regionUrls = stated.regionUrls.length > 0 ? stated.regionUrls : [{ code: stated.region, url: publicEdgeUrl }];
  const publicCreativesUrl = stated.publicCreativesUrl ?? publicEdgeUrl;
  const publicUrls = [publicBaseUrl, publicEdgeUrl, publicCreativesUrl, ...regionUrls.map(({ url }) => url)];
  const isLocal = publicUrls.every(namesThisMachine);
  return {
    ...alone,
    publicBaseUrl,
    publicEdgeUrl,
    publicCreativesUrl,
    /** Where the edges of each region are; never empty. */
    regionUrls,
    redisMinReplicas: stated.redisMinReplicas ?? stated.redisWaitReplicas,
    edgeRedisUrl: stated.edgeRedisUrl ?? redisUrl,
    allowPrivateNetworks: stated.allowPrivateNetworks ?? (mongodbUrl === null && isLocal),
    httpsCreativesOnly: stated.httpsCreativesOnly ?? mongodbUrl !== null,
    creativesDir: stated.creativesDir ?? join(dataDir, 'creatives'),
    /** The bucket of creatives' files; null when they are in the folder. */
    creativesS3:
      creativesS3Bucket === null
        ? null
        : { bucket: creativesS3Bucket, endpoint: creativesS3Endpoint, region: creativesS3Region },
    /** Where log-level data is written; null: none is. */
    logLevelData:
      logLevelDataUrl === null || 'folder' in logLevelDataUrl
        ? logLevelDataUrl
        : { ...logLevelDataUrl, endpoint: logLevelDataS3Endpoint, region: logLevelDataS3Region },
    archiveDir: stated.archiveDir ?? join(dataDir, 'archive'),
    /** The name of the exchange in supply chains and in its sellers' ads.txt: the domain of its sellers.json. */
    exchangeDomain: ownDomain ?? new URL(publicBaseUrl).hostname,
    sellersContactEmail: stated.sellersContactEmail ?? stated.adminEmail,
  };
}

/**
 * Finds settings that are each valid and contradict each other, and answers a sentence for each. `isSet` answers
 * whether the environment sets a variable.
 */
export function conflictsOf(
  stated: StatedSettings,
  settings: ResolvedSettings,
  isSet: (name: string) => boolean,
): string[] {
  const { roles, redisUrl, redisWaitReplicas, creativesS3Bucket, creativesS3Endpoint } = stated;
  const divides = roles.size < ROLES.length;
  const conflicts: readonly (readonly [holds: boolean, problem: string])[] = [
    [
      stated.edgeRedisUrl !== null && redisUrl === null,
      'EDGE_REDIS_URL is for a region of an exchange with a REDIS_URL, which is not set',
    ],
    [
      stated.regionRedisUrl !== null && redisUrl === null,
      'REGION_REDIS_URL is for a region of an exchange with a REDIS_URL, which is not set',
    ],
    [
      stated.factsRedisUrl !== null && redisUrl === null,
      'FACTS_REDIS_URL is for an exchange with a REDIS_URL, which is not set',
    ],
    [
      redisWaitReplicas > 0 && redisUrl === null,
      'REDIS_WAIT_REPLICAS is for an exchange with a REDIS_URL, which is not set',
    ],
    [
      creativesS3Bucket === null && creativesS3Endpoint !== null,
      'CREATIVES_S3_ENDPOINT is of use only beside CREATIVES_S3_BUCKET',
    ],
    [
      stated.logLevelDataS3Endpoint !== null &&
        !(stated.logLevelDataUrl !== null && 'bucket' in stated.logLevelDataUrl),
      'LOG_LEVEL_DATA_S3_ENDPOINT is of use only with an s3:// LOG_LEVEL_DATA_URL',
    ],
    [
      creativesS3Bucket !== null && stated.creativesDir !== null,
      'CREATIVES_DIR and CREATIVES_S3_BUCKET exclude each other: files of creatives live in one of them',
    ],
    [
      (stated.bidderCertificateFile === null) !== (stated.bidderCertificateKey === null),
      'BIDDER_CERTIFICATE_FILE and BIDDER_CERTIFICATE_KEY belong together: set both or neither',
    ],
    [
      divides && !(isSet('REDIS_URL') && isSet('MONGODB_URL')),
      'ROLES can be divided only when both REDIS_URL and MONGODB_URL are set: the embedded log and store live in one process',
    ],
    [
      stated.edgeWorkers > 1 && !(isSet('REDIS_URL') && isSet('MONGODB_URL')),
      'EDGE_WORKERS above 1 needs both REDIS_URL and MONGODB_URL: the embedded log and store live in one process',
    ],
    [
      roles.has('edge') && !settings.regionUrls.some(({ code }) => code === settings.region),
      `REGION_URLS must name ${settings.region} too, which is the REGION of this edge`,
    ],
    [stated.edgeWorkers > 1 && !roles.has('edge'), 'EDGE_WORKERS above 1 is for a process with the role `edge`'],
    [
      settings.redisMinReplicas > redisWaitReplicas,
      `REDIS_MIN_REPLICAS is ${settings.redisMinReplicas}, of the ${redisWaitReplicas} that REDIS_WAIT_REPLICAS says`,
    ],
  ];
  return [...conflicts.flatMap(([holds, problem]) => (holds ? [problem] : [])), ...sharedPorts(settings)];
}

/** Ports that this process would open twice. */
function sharedPorts({ roles, port, edgePort, opsPort }: ResolvedSettings): string[] {
  const opened: [string, number][] = [['OPS_PORT', opsPort]];
  if (roles.has('management')) opened.unshift(['PORT', port]);
  if (roles.has('edge')) opened.unshift(['EDGE_PORT', edgePort]);
  const names = new Map<number, string[]>();
  for (const [name, number] of opened) if (number !== 0) names.set(number, [...(names.get(number) ?? []), name]);
  return [...names]
    .filter(([, sharing]) => sharing.length > 1)
    .map(([number, sharing]) => `${sharing.join(' and ')} must differ: both are ${number}`);
}

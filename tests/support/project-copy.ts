import { spawnSync } from 'node:child_process';
import { constants, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = process.cwd();
/** Names that are not copied: installed packages are linked, builds and runtime data are created again. */
const notCopied = new Set(['.git', '.data', 'node_modules', 'dist', 'test-results', 'coverage']);

/** Status and output of a command that has ended. */
export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Copy of this project in a temporary folder with a space and Chinese characters in its path, for commands that change files. */
export class ProjectCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'marquee 插件 '));

  /** `parts` lists the files and folders to copy; all of them by default. */
  constructor(parts: readonly string[] = readdirSync(root).filter((name) => !notCopied.has(name))) {
    for (const part of parts) cpSync(join(root, part), this.path(part), { recursive: true, mode: constants.COPYFILE_FICLONE });
    mkdirSync(this.path('node_modules'));
    for (const name of readdirSync(join(root, 'node_modules')).filter((each) => !each.startsWith('.')))
      symlinkSync(join(root, 'node_modules', name), this.path(`node_modules/${name}`), 'junction');
    const installMark = 'node_modules/.marquee-installed';
    if (existsSync(join(root, installMark))) cpSync(join(root, installMark), this.path(installMark));
  }

  path(path: string): string {
    return join(this.folder, path);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  /** Returns the paths of the files and folders below a folder, with forward slashes. */
  pathsIn(folder = ''): string[] {
    const all = readdirSync(this.path(folder), { recursive: true, encoding: 'utf8' });
    return all.map((path) => path.replaceAll('\\', '/')).filter((path) => !path.startsWith('node_modules/'));
  }

  /** Runs `npm run plugin` with these arguments, without npm. */
  runPlugin(args: readonly string[], environment: Readonly<Record<string, string>> = {}): CommandResult {
    return this.run(process.execPath, ['scripts/plugin.mjs', ...args], environment);
  }

  /** Runs a command line such as `npm run plugin -- list`; its words must be separated by single spaces. */
  runNpm(line: string, environment: Readonly<Record<string, string>> = {}): CommandResult {
    const [, ...args] = line.split(' ');
    return this.run('npm', args, environment);
  }

  discard(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private run(command: string, args: readonly string[], environment: Readonly<Record<string, string>>): CommandResult {
    // Settings of the test run itself do not apply to the copy.
    const { MARQUEE_MANIFEST: _, MARQUEE_OUTPUT: __, NODE_OPTIONS: ___, ...inherited } = process.env;
    const shell = process.platform === 'win32' && command === 'npm';
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: this.folder, encoding: 'utf8', shell, env: { ...inherited, ...environment } });
    return { status, stdout, stderr };
  }
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuiltImage } from './image-build.ts';
import { runOrThrow } from './image-build.ts';

/** Folders of this machine by their place in the container. */
type Mounts = Readonly<Record<string, string>>;

/**
 * Container made with the system's own tools: the image as a read-only root in a mount and process namespace of its own, `tmpfs` at `/tmp`, the image's user, no
 * capabilities and no new privileges. It shares the network of this machine.
 */
export class Container {
  output = '';
  private running: ChildProcess | undefined;

  constructor(
    private readonly image: BuiltImage,
    private readonly settings: Readonly<Record<string, string>>,
    private readonly mounts: Mounts,
  ) {
    for (const folder of Object.values(mounts)) {
      mkdirSync(folder, { recursive: true });
      runOrThrow('chown', [image.user, folder]);
    }
  }

  /** Starts the command of the image. An engine makes the mount points `/proc` and `/dev`, so this does too. */
  start(): void {
    const { root, user, folder, command } = this.image;
    for (const point of ['proc', 'dev', ...Object.keys(this.mounts)]) mkdirSync(join(root, point), { recursive: true });
    const [uid = '', gid = ''] = user.split(':');
    const steps = [
      '/bin/mount --make-rprivate /',
      `/bin/mount --bind '${root}' '${root}'`,
      `/bin/mount -o remount,ro,bind '${root}'`,
      `/bin/mount -t tmpfs -o size=64m,mode=1777 tmpfs '${root}/tmp'`,
      `/bin/mount --bind /dev '${root}/dev'`,
      `/bin/mount -t proc proc '${root}/proc'`,
      ...Object.entries(this.mounts).map(([point, source]) => `/bin/mount --bind '${source}' '${root}/${point}'`),
      'exec /usr/bin/setpriv --no-new-privs --bounding-set=-all,+sys_chroot,+setuid,+setgid "$@"',
    ];
    const inside = ['/usr/bin/unshare', `--root=${root}`, `--wd=${folder}`, '--setgid', gid, '--setuid', uid, ...command];
    const started = spawn('/usr/bin/unshare', ['--mount', '--pid', '--fork', '/bin/sh', '-c', steps.join(' && '), 'sh', ...inside], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: this.environment(),
    });
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (chunk) => (this.output += chunk));
    this.running = started;
  }

  /** Runs another command in the container, as `docker exec` does. */
  run(command: readonly string[], settings: Readonly<Record<string, string>> = {}): { status: number | null; output: string } {
    const [uid = '', gid = ''] = this.image.user.split(':');
    const namespaces = ['--target', String(this.firstProcess()), '--mount', '--pid', '--root', '--wd', '--setuid', uid, '--setgid', gid];
    const { status, stdout, stderr } = spawnSync('/usr/bin/nsenter', [...namespaces, ...command], {
      encoding: 'utf8',
      env: { ...this.environment(), ...settings },
    });
    return { status, output: stdout + stderr };
  }

  /** Runs the health check of the image and returns true if it passes. */
  isHealthy = (): boolean => this.running?.exitCode === null && this.run(this.image.healthCheck).status === 0;

  /** Stops the container as an engine does, by SIGTERM to its first process, and returns the exit code. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    const { running } = this;
    if (!running || running.exitCode !== null) return running?.exitCode ?? null;
    const ended = new Promise<number | null>((resolve) => running.once('exit', resolve));
    process.kill(this.firstProcess(), signal);
    return ended;
  }

  private environment(): NodeJS.ProcessEnv {
    return { ...this.image.environment, ...this.settings };
  }

  /** Returns the id that this machine gives to process 1 of the container. */
  private firstProcess(): number {
    const id = this.running?.pid;
    return Number(readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').trim().split(' ')[0]);
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { constants, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sparePort } from '../../scripts/port.mjs';
import type { TokenReply } from '../../src/shared/identity/auth.ts';

const root = join(import.meta.dirname, '../..');

/** Captcha answer that the server accepts only when it runs as a test. */
export const captchaAnswer = '7k3fq';
export const adminPassword = 'Evening-Lights-2026';

const builds = { product: 'dist/server/main.js', gallery: 'dist/gallery/server/main.js' } as const;
/** Ends of the paths of the scripts that start these builds under supervision: of the project, or of a deployment. */
const starts = { product: '/start.mjs', gallery: 'dist/gallery/start.mjs' } as const;

/** Folder in which `prepareDirectories` has left the result of a first start of each build; absent for benchmarks and soaks. */
const prepared = process.env.PREPARED_DIRECTORIES;

/**
 * Node options of tests: code that runs for a minute is not worth optimising, which takes half of the start of an embedded database. Measurements run as released.
 */
export const unoptimized = prepared === undefined ? [] : ['--liftoff-only', '--no-opt'];

/** The built product in its own process, on a free port and in a temporary directory that has been through a first start. */
export class Product {
  readonly directory = mkdtempSync(join(tmpdir(), 'marquee-journey-'));
  address = '';
  output = '';
  private process: ChildProcess | undefined;

  constructor(
    private readonly environment: Readonly<Record<string, string>> = {},
    private readonly command: readonly string[] = ['scripts/serve.mjs', builds.product],
    /** Prefix of the console's keys in browser storage. */
    readonly storagePrefix = 'marquee-',
  ) {}

  async start(): Promise<void> {
    if (this.address === '') this.settleIn();
    const started = spawn(process.execPath, [...unoptimized, ...this.command], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'test',
        // Restarts use the port of the first start, since browser storage belongs to an origin.
        PORT: this.address === '' ? String(await sparePort()) : new URL(this.address).port,
        HOST: '127.0.0.1',
        DATA_DIR: this.directory,
        CONSOLE_DIR: join(root, 'dist/console'),
        ADMIN_PASSWORD: adminPassword,
        CAPTCHA_TEST_ANSWER: captchaAnswer,
        LOG_LEVEL: 'warn',
        // All journeys are one user at one address.
        TOKEN_RATE: '0',
        CAPTCHA_RATE: '0',
        CALL_RATE: '0',
        ...this.environment,
      },
    });
    this.process = started;
    this.address = await new Promise((resolve, reject) => {
      const listen = (chunk: Buffer) => {
        this.output += chunk;
        const address = /Marquee runs at (http\S+)/.exec(this.output)?.[1];
        if (address) resolve(address);
      };
      this.output = '';
      started.stdout?.on('data', listen);
      started.stderr?.on('data', listen);
      started.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${this.output}`)));
      setTimeout(() => reject(new Error(`The server did not start in two minutes:\n${this.output}`)), 120_000).unref();
    });
  }

  /** Copies the result of a first start, unless this product would start differently. */
  private settleIn(): void {
    const isOf = (name: keyof typeof builds) => this.command.some((argument) => argument === builds[name] || argument.endsWith(starts[name]));
    const build = isOf('gallery') ? 'gallery' : isOf('product') ? 'product' : undefined;
    const from = prepared === undefined || build === undefined || 'ADMIN_PASSWORD' in this.environment ? undefined : join(prepared, build);
    if (from !== undefined && existsSync(from)) cpSync(from, this.directory, { recursive: true, mode: constants.COPYFILE_FICLONE });
  }

  /** Ends the process as an operator (SIGTERM) or a crash (SIGKILL) would; returns its exit code. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    const running = this.process;
    if (!running || running.exitCode !== null || running.signalCode !== null) return running?.exitCode ?? null;
    const gone = new Promise<number | null>((resolve) => running.once('exit', resolve));
    running.kill(signal);
    return gone;
  }

  /** Id of the running process. */
  get pid(): number | undefined {
    return this.process?.pid;
  }

  /** Pauses the process, as on an overloaded machine, until `thaw`. */
  freeze(): void {
    this.process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.process?.kill('SIGCONT');
  }

  /** Sets the clock of a server that was started with `hurried-clock.mjs` two minutes forward. */
  hurry(): void {
    this.process?.send('hurry');
  }

  /** Discards at once, for the end of the process. */
  drop(): void {
    this.process?.kill('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }

  async discard(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Signs in and returns an API client whose replies are the envelope with the HTTP status. */
  async signIn(username = 'admin', password = adminPassword, tenantId?: string): Promise<Client> {
    return new Client(this.address, (await this.grant(username, password, tenantId)).access_token);
  }

  /** Returns the reply of the token endpoint. */
  async grant(username = 'admin', password = adminPassword, tenantId = '000000'): Promise<TokenReply> {
    const reply = await fetch(`${this.address}/api/things-auth/oauth/token`, {
      method: 'POST',
      signal: AbortSignal.timeout(60_000),
      headers: { authorization: `Basic ${btoa('sryx:sryx_secret')}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'password', tenantId, username, password }),
    });
    const granted = (await reply.json()) as TokenReply & { error_description?: string };
    if (!granted.access_token) throw new Error(`No token for ${username}: ${granted.error_description}`);
    return granted;
  }
}

const shared = new Map<string, Promise<Product>>();

/**
 * Returns a running product that the journeys of one worker share; it may contain rows of earlier journeys. A journey that restarts or reconfigures it uses its own.
 */
export function sharedProduct(build: 'product' | 'gallery' = 'product'): Promise<Product> {
  const known = shared.get(build);
  if (known) return known;
  const product = build === 'gallery' ? galleryProduct() : new Product();
  const started = product.start().then(() => product);
  process.once('exit', () => product.drop());
  shared.set(build, started);
  return started;
}

/** Returns the product built with the gallery, a plugin with every type of field and table (`tests/gallery`). */
export const galleryProduct = (environment: Readonly<Record<string, string>> = {}): Product =>
  new Product({ CONSOLE_DIR: join(root, 'dist/gallery/console'), ...environment }, ['scripts/serve.mjs', builds.gallery], 'gallery-');

/** Returns a build whose server is started and supervised by the deployment's own `start.mjs`. */
export const supervisedProduct = (build: 'product' | 'gallery', environment: Readonly<Record<string, string>> = {}): Product =>
  new Product({ CONSOLE_DIR: '', ...environment }, [build === 'gallery' ? starts.gallery : 'dist/start.mjs']);

/**
 * Starts each build once for the whole run, so that journeys begin with the resulting directories. Playwright calls it, and calls the returned function at the end.
 */
export async function prepareDirectories(): Promise<() => void> {
  const home = mkdtempSync(join(tmpdir(), 'marquee-prepared-'));
  const products = { product: new Product(), gallery: galleryProduct() };
  const firstStart = async ([build, product]: [string, Product]) => {
    await product.start();
    await product.stop();
    cpSync(product.directory, join(home, build), { recursive: true, mode: constants.COPYFILE_FICLONE });
  };
  try {
    await Promise.all(Object.entries(products).map(firstStart));
  } finally {
    for (const product of Object.values(products)) product.drop();
  }
  process.env.PREPARED_DIRECTORIES = home;
  return () => rmSync(home, { recursive: true, force: true });
}

export interface Envelope {
  status: number;
  code: number;
  success: boolean;
  msg: string;
  // biome-ignore lint/suspicious/noExplicitAny: journeys read the wire as a stranger would, without our types
  data: any;
}

export class Client {
  constructor(
    private readonly address: string,
    private readonly token: string,
  ) {}

  get(path: string, query: Record<string, string | number> = {}): Promise<Envelope> {
    const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    return this.send(`${path}?${parameters}`, {});
  }

  post(path: string, body: unknown): Promise<Envelope> {
    return this.send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  }

  /** Headers that authenticate the client. */
  get headers(): Record<string, string> {
    return { authorization: `Basic ${btoa('sryx:')}`, 'things-auth': `bearer ${this.token}` };
  }

  private async send(path: string, request: RequestInit): Promise<Envelope> {
    const reply = await fetch(this.address + path, { ...request, headers: { ...request.headers, ...this.headers } });
    return { status: reply.status, ...((await reply.json()) as Omit<Envelope, 'status'>) };
  }
}

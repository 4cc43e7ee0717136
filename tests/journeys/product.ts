import { type ChildProcess, spawn } from 'node:child_process';
import { constants, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sparePort } from '../../scripts/spare-port.mjs';
import type { TokenReply } from '../../src/shared/auth.ts';

const root = join(import.meta.dirname, '../..');

/** What the captcha is answered with; the server takes such an answer only when it runs as a test. */
export const captchaAnswer = '7k3fq';
export const adminPassword = 'Evening-Lights-2026';

const builds = { product: 'dist/server/main.js', gallery: 'dist/gallery/server/main.js' } as const;

/** Where `prepareDirectories` has left what a first start of each build makes; nowhere for benchmarks and soaks. */
const prepared = process.env.PREPARED_DIRECTORIES;

/** Code that lives for a minute is not worth optimizing: it takes half of the start of an embedded database. What is measured runs as it is released. */
const hasty = prepared === undefined ? [] : ['--liftoff-only', '--no-opt'];

/** The built product in a process of its own, on a spare port and a temporary directory that a first start has been through. */
export class Product {
  readonly directory = mkdtempSync(join(tmpdir(), 'marquee-journey-'));
  address = '';
  output = '';
  private process: ChildProcess | undefined;

  constructor(
    private readonly environment: Readonly<Record<string, string>> = {},
    private readonly command: readonly string[] = ['scripts/serve.mjs', builds.product],
    /** Begins what its console keeps in browser storage. */
    readonly storagePrefix = 'marquee-',
  ) {}

  async start(): Promise<void> {
    if (this.address === '') this.settleIn();
    const started = spawn(process.execPath, [...hasty, ...this.command], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'test',
        // Restarts keep to the port of the first start, since browser storage belongs to an address.
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

  /** Spares a journey the first start, unless the first start would be another. */
  private settleIn(): void {
    const isReleased = this.command.some((argument) => argument.endsWith('start.mjs'));
    const build = isReleased ? 'product' : Object.entries(builds).find(([, path]) => this.command.includes(path))?.[0];
    const from = prepared === undefined || build === undefined || 'ADMIN_PASSWORD' in this.environment ? undefined : join(prepared, build);
    if (from !== undefined && existsSync(from)) cpSync(from, this.directory, { recursive: true, mode: constants.COPYFILE_FICLONE });
  }

  /** Ends the process as an operator would (SIGTERM), or as a crash would (SIGKILL). */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const running = this.process;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await gone;
  }

  /** Of the process that runs now. */
  get pid(): number | undefined {
    return this.process?.pid;
  }

  /** It stands still as a machine that is out of breath does, and goes on with `thaw`. */
  freeze(): void {
    this.process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.process?.kill('SIGCONT');
  }

  /** Puts the clock of a server that was started with `hurried-clock.mjs` two minutes forward. */
  hurry(): void {
    this.process?.send('hurry');
  }

  /** As `discard`, at once: for the end of the process. */
  drop(): void {
    this.process?.kill('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }

  async discard(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** A signed-in client of the API; the answers are the envelope with the HTTP status beside it. */
  async signIn(username = 'admin', password = adminPassword, tenantId?: string): Promise<Client> {
    return new Client(this.address, (await this.grant(username, password, tenantId)).access_token);
  }

  /** What the token endpoint grants. */
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

/** A running product that the journeys of one worker share; rows of journeys before may stand in it. Those that restart it or set it up otherwise make their own. */
export function sharedProduct(build: 'product' | 'gallery' = 'product'): Promise<Product> {
  const known = shared.get(build);
  if (known) return known;
  const product = build === 'gallery' ? galleryProduct() : new Product();
  const started = product.start().then(() => product);
  process.once('exit', () => product.drop());
  shared.set(build, started);
  return started;
}

/** The product built with the gallery, a plugin that has every kind of field and table (`tests/gallery`). */
export const galleryProduct = (environment: Readonly<Record<string, string>> = {}): Product =>
  new Product({ CONSOLE_DIR: join(root, 'dist/gallery/console'), ...environment }, ['scripts/serve.mjs', builds.gallery], 'gallery-');

/** Starts each build once, for the whole run; what that leaves on disk is where journeys begin. Playwright calls it, and what it answers at the end. */
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

  /** What says who asks. */
  get headers(): Record<string, string> {
    return { authorization: `Basic ${btoa('sryx:')}`, 'things-auth': `bearer ${this.token}` };
  }

  private async send(path: string, request: RequestInit): Promise<Envelope> {
    const reply = await fetch(this.address + path, { ...request, headers: { ...request.headers, ...this.headers } });
    return { status: reply.status, ...((await reply.json()) as Omit<Envelope, 'status'>) };
  }
}

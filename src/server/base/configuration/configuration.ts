import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import Schema from 'typebox/schema';
import { type ConsoleSettings, ConsoleSettingsSchema } from '#shared/console-settings';
import type { Rates } from '../rate-limits.ts';
import { type FilesBucketConfiguration, readFilesBucket } from './files-bucket.ts';
import { type EvidenceConfiguration, type LogSinkConfiguration, readEvidence, readLogSink } from './log-sink-settings.ts';
import { type PluginKeys, readPluginKeys, type UnsignedPlugins } from './plugin-keys.ts';
import { settingProblems } from './setting-problems.ts';
import { readSignInMethods, type SignInMethodsConfiguration } from './sign-in-methods.ts';
import { readTraces, type TracesConfiguration } from './traces.ts';

/** Facts in which a server may differ from the running replicas. */
export type AllowedChange = 'plugins' | undefined;

/** Settings of a server, read from its environment; `docs/operating.md` lists the variables. */
export interface Configuration extends SignInMethodsConfiguration {
  readonly mode: 'production' | 'development' | 'test';
  readonly host: string;
  /** Path under which the server is reached, without a slash at its end; '' for the root of its host. */
  readonly basePath: string;
  /** 0 picks any free port. */
  readonly port: number;
  readonly dataDirectory: string;
  /** Folder of scheduled backups; undefined makes none on this server. */
  readonly backupDirectory: string | undefined;
  /** Undefined uses the embedded database in `dataDirectory`. */
  readonly databaseUrl: string | undefined;
  /** Seconds a start waits for the database. */
  readonly databaseWait: number;
  /** Seconds one statement may take; 0 sets no limit. */
  readonly statementTimeout: number;
  /** Size of the connection pool. */
  readonly databaseConnections: number;
  /** PostgreSQL itself where `databaseUrl` is a pooler in transaction mode. */
  readonly databaseDirectUrl: string | undefined;
  /** Standby for reads that may be a moment old; undefined reads from `databaseUrl` only. */
  readonly databaseReadUrl: string | undefined;
  /** Seconds a stopping server continues to answer requests. */
  readonly drainSeconds: number;
  readonly timeZone: string;
  /** Undefined generates a secret in `dataDirectory`. */
  readonly secretKey: string | undefined;
  /** Secrets whose tokens, signatures and encrypted texts are still read. */
  readonly secretKeyFallbacks: readonly string[];
  readonly clientSecret: string | undefined;
  readonly adminPassword: string | undefined;
  /** False creates no sample notifications. */
  readonly sampleNotifications: boolean;
  readonly captcha: boolean;
  /** Accepted answer of every captcha; only allowed if `mode` is `test`. */
  readonly captchaTestAnswer: string | undefined;
  /** Undefined stores files in `dataDirectory`. */
  readonly filesBucket: FilesBucketConfiguration | undefined;
  readonly consoleDirectory: string | undefined;
  /** Console settings of this deployment; they override those of the build. */
  readonly consoleSettings: ConsoleSettings | undefined;
  readonly logLevel: string;
  /** Number of trusted reverse proxies, or their addresses; only their headers may state the caller's address and scheme. */
  readonly trustProxy: number | string | false;
  /** Access to the API description: `on` requires a session, `open` allows everyone. */
  readonly apiDocs: 'on' | 'open' | 'off';
  /** True starts core plugins only. */
  readonly safeMode: boolean;
  /** Changes by which this server may differ from the replicas already running on the same database. */
  readonly rollingChange: AllowedChange;
  /** Public keys by name, of which one must have signed a package of a plugin. */
  readonly pluginKeys: PluginKeys;
  /** Treatment of packages of plugins without a signature. */
  readonly unsignedPlugins: UnsignedPlugins;
  /** Token with which `/metrics` is read; undefined serves no metrics. */
  readonly metricsToken: string | undefined;
  /** Undefined stores the logs in the database only. */
  readonly logSink: LogSinkConfiguration | undefined;
  /** Destinations of the seals of logs and money, with their lines. */
  readonly evidence: EvidenceConfiguration;
  /** Undefined records no traces. */
  readonly traces: TracesConfiguration | undefined;
  /** Requests per minute for one address or one user. */
  readonly rates: Rates;
  /** Internal hosts, addresses and networks, separated by commas, that addresses entered by users may point to. */
  readonly egressAllow: string;
  /** AES key of consoles that send tokens as `crypto …`; undefined rejects such tokens. */
  readonly tokenCryptoKey: string | undefined;
  /** AES key of consoles that encrypt bodies; undefined rejects such bodies. */
  readonly bodyCryptoKey: string | undefined;
}

/** Reports an environment that does not describe a runnable server; the message lists every problem at once. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly problems: readonly string[]) {
    const [only, ...more] = problems;
    super(more.length === 0 ? `Marquee cannot start: ${only}` : `Marquee cannot start:\n${problems.map((complaint) => `  - ${complaint}`).join('\n')}`);
  }
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads and checks the environment; throws a `ConfigurationError`. */
export function readConfiguration(environment: Environment): Configuration {
  const read = new EnvironmentReader(environment);
  const mode = read.oneOf('NODE_ENV', ['production', 'development', 'test']);
  const databaseUrl = read.url('DATABASE_URL', ['postgres:', 'postgresql:']);
  const basePath = read.basePath('BASE_PATH');
  const configuration: Configuration = {
    mode,
    databaseUrl,
    basePath,
    host: read.text('HOST') ?? '0.0.0.0',
    port: read.integer('PORT', 8080, 0, 65_535),
    dataDirectory: read.text('DATA_DIR') ?? join(process.cwd(), '.data'),
    backupDirectory: read.text('BACKUP_DIR'),
    databaseWait: read.integer('DATABASE_WAIT', 30, 0, 3600),
    databaseDirectUrl: read.url('DATABASE_DIRECT_URL', ['postgres:', 'postgresql:']),
    databaseReadUrl: read.url('DATABASE_READ_URL', ['postgres:', 'postgresql:']),
    databaseConnections: read.integer('DATABASE_CONNECTIONS', 10, 3, 200),
    statementTimeout: read.integer('STATEMENT_TIMEOUT', 60, 0, 86_400),
    drainSeconds: read.integer('DRAIN_SECONDS', databaseUrl !== undefined && mode === 'production' ? 5 : 0, 0, 3600),
    timeZone: read.timeZone('TIME_ZONE', 'Asia/Shanghai'),
    secretKey: read.text('SECRET_KEY'),
    secretKeyFallbacks: listOf(read.text('SECRET_KEY_FALLBACKS')),
    clientSecret: read.text('CLIENT_SECRET'),
    adminPassword: read.text('ADMIN_PASSWORD'),
    sampleNotifications: read.oneOf('SAMPLE_NOTIFICATIONS', ['on', 'off']) === 'on',
    captcha: read.oneOf('CAPTCHA_MODE', ['on', 'off']) === 'on',
    captchaTestAnswer: read.text('CAPTCHA_TEST_ANSWER'),
    filesBucket: readFilesBucket(read),
    consoleDirectory: read.text('CONSOLE_DIR'),
    consoleSettings: readConsoleSettings(read),
    logLevel: read.oneOf('LOG_LEVEL', ['info', 'fatal', 'error', 'warn', 'debug', 'trace', 'silent']),
    trustProxy: trustProxyOf(read.text('TRUST_PROXY')),
    safeMode: read.oneOf('SAFE_MODE', ['off', 'on']) === 'on',
    rollingChange: read.oneOf('ROLLING_CHANGE', ['off', 'plugins']) === 'plugins' ? 'plugins' : undefined,
    apiDocs: read.oneOf('API_DOCS', ['on', 'open', 'off']),
    pluginKeys: readPluginKeys(read),
    unsignedPlugins: read.oneOf('UNSIGNED_PLUGINS', ['off', 'contained', 'on']),
    metricsToken: read.text('METRICS_TOKEN'),
    logSink: readLogSink(read),
    evidence: readEvidence(read),
    traces: readTraces(read),
    rates: {
      token: read.integer('TOKEN_RATE', 120, 0, 1e6),
      captcha: read.integer('CAPTCHA_RATE', 120, 0, 1e6),
      open: read.integer('OPEN_RATE', 3000, 0, 1e6),
      calls: read.integer('CALL_RATE', 3000, 0, 1e6),
    },
    egressAllow: read.networks('EGRESS_ALLOW'),
    tokenCryptoKey: read.aesKey('TOKEN_CRYPTO_KEY'),
    bodyCryptoKey: read.aesKey('BODY_CRYPTO_KEY'),
    ...readSignInMethods(read, mode, basePath),
  };
  const problems = [...read.problems, ...settingProblems(configuration)];
  if (problems.length > 0) throw new ConfigurationError(problems);
  return configuration;
}

const listOf = (text = ''): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

function trustProxyOf(value: string | undefined): number | string | false {
  if (value === undefined) return false;
  return /^\d+$/.test(value) ? Number(value) : value;
}

function isHostOrNetwork(entry: string): boolean {
  const [net = '', prefix, more] = entry.split('/');
  const family = isIP(net);
  if (more !== undefined) return false;
  if (prefix !== undefined) return family !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32);
  return family !== 0 || /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?$/i.test(entry);
}

/** Reads one variable at a time and collects every problem. */
export class EnvironmentReader {
  readonly problems: string[] = [];

  constructor(private readonly environment: Environment) {}

  /** Treats an empty variable as absent. */
  text(name: string): string | undefined {
    return this.environment[name] || undefined;
  }

  /** Uses the first allowed value for an absent variable. */
  oneOf<const Value extends string>(name: string, allowed: readonly [Value, ...Value[]]): Value {
    const setting = this.text(name) ?? allowed[0];
    const value = allowed.find((candidate) => candidate === setting);
    if (value === undefined) this.problems.push(`${name} is "${setting}", but must be one of ${allowed.join(', ')}.`);
    return value ?? allowed[0];
  }

  integer(name: string, preset: number, minimum: number, maximum: number): number {
    const text = this.text(name);
    if (text === undefined) return preset;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    this.problems.push(`${name} is "${text}", but must be an integer from ${minimum} to ${maximum}.`);
    return preset;
  }

  /** Reads a path under which a server is reached; `/` is the root. Probes stay at the root, so their paths are refused. */
  basePath(name: string): string {
    const path = this.text(name) ?? '/';
    if (path === '/') return '';
    const isPath = /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)+$/.test(path);
    if (!isPath) this.problems.push(`${name} is "${path}", but must be a path of letters, digits, . _ ~ and -, without a slash at its end: /marquee.`);
    if (/^\/(health|metrics)(\/|$)/.test(path)) this.problems.push(`${name} is "${path}", where health checks and metrics are served. Choose another path.`);
    return isPath ? path : '';
  }

  /** Reads hosts, addresses and networks separated by commas. */
  networks(name: string): string {
    const text = this.text(name) ?? '';
    const wrong = text.split(',').find((entry) => entry.trim() !== '' && !isHostOrNetwork(entry.trim()));
    if (wrong !== undefined) this.problems.push(`${name} contains "${wrong.trim()}", which is not a host, an address or a network like 10.0.0.0/8.`);
    return text;
  }

  aesKey(name: string): string | undefined {
    const text = this.text(name);
    if (text !== undefined && ![16, 24, 32].includes(Buffer.byteLength(text))) this.problems.push(`${name} must be 16, 24 or 32 bytes long.`);
    return text;
  }

  timeZone(name: string, preset: string): string {
    const zone = this.text(name) ?? preset;
    try {
      new Intl.DateTimeFormat('en', { timeZone: zone });
    } catch {
      this.problems.push(`${name} is "${zone}", which is not a time zone. Use a name like Asia/Shanghai.`);
    }
    return zone;
  }

  url(name: string, protocols: readonly string[]): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
      this.problems.push(`${name} is not an address beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`);
    } else if (!isDecodable(text)) this.problems.push(`${name} contains a % that is not part of an encoded character. Write it as %25.`);
    return text;
  }
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}

/** Reads the file that `CONSOLE_SETTINGS` names; adds its problems to those of the environment. */
export function readConsoleSettings(read: EnvironmentReader): ConsoleSettings | undefined {
  const path = read.text('CONSOLE_SETTINGS');
  if (path === undefined) return undefined;
  try {
    const settings = JSON.parse(readFileSync(path, 'utf8')) as ConsoleSettings;
    const [, errors] = Schema.Errors(ConsoleSettingsSchema, settings);
    for (const error of errors) if (error.keyword !== 'boolean') read.problems.push(`CONSOLE_SETTINGS, ${path}: ${sentenceOf(error)}.`);
    return settings;
  } catch (error) {
    read.problems.push(`CONSOLE_SETTINGS is "${path}", which cannot be read as JSON: ${(error as Error).message}`);
    return undefined;
  }
}

function sentenceOf({ keyword, instancePath, message, params }: { keyword: string; instancePath: string; message: string; params: object }): string {
  const path = instancePath.slice(1).replaceAll('/', '.') || 'it';
  if (keyword !== 'additionalProperties') return `${path} ${message}`;
  return `${path} contains ${(params as { additionalProperties: string[] }).additionalProperties.join(', ')}, which can only be set at build time`;
}

import type { FastifyServerOptions } from 'fastify';
import type { Configuration } from '../configuration.ts';

const secretPaths = [
  'authorization',
  'things-auth',
  'blade-auth',
  'cookie',
  'password',
  'access_token',
  'refresh_token',
  'secret',
  'secretKey',
  'clientSecret',
];

/** JSON lines for machines, words for a terminal; whatever is named like a secret is struck out. */
export async function loggerOptions({ mode, logLevel }: Pick<Configuration, 'mode' | 'logLevel'>): Promise<NonNullable<FastifyServerOptions['logger']>> {
  const options = {
    level: logLevel,
    redact: {
      paths: secretPaths.flatMap((path) => (path.includes('-') ? [`["${path}"]`, `*["${path}"]`, `*.*["${path}"]`] : [path, `*.${path}`, `*.*.${path}`])),
      censor: '***',
    },
    serializers: { err: describedError },
  };
  if (logLevel === 'silent' || !(mode === 'development' || process.stdout.isTTY)) return options;
  const { default: pretty } = await import('pino-pretty');
  return { ...options, stream: pretty({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss', sync: true }) };
}

interface Described {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack: string;
  readonly cause?: Described;
  readonly [more: string]: unknown;
}

/** An error with its causes. A failed statement is named without its parameters, which may be anybody's secrets. */
function describedError(error: unknown): Described {
  const { name = 'Error', message = String(error), stack = '', code, cause } = (error ?? {}) as Partial<Error & { code: string; cause: unknown }>;
  const told = message.replace(/\nparams: [\s\S]*$/, '');
  const frames = stack.slice(Math.max(0, stack.search(/\n {4}at /))).trim();
  return { type: name, message: told, ...(code ? { code } : {}), stack: frames, ...(cause ? { cause: describedError(cause) } : {}) };
}

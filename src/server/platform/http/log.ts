import type { FastifyServerOptions } from 'fastify';
import type { Configuration } from '../../base/configuration/configuration.ts';
import { logFields } from '../../base/work.ts';

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

/** Configures the logger: JSON lines for machines, text for a terminal; values with secret names are masked. */
export async function loggerOptions({ mode, logLevel }: Pick<Configuration, 'mode' | 'logLevel'>): Promise<NonNullable<FastifyServerOptions['logger']>> {
  const options = {
    level: logLevel,
    redact: {
      paths: secretPaths.flatMap((path) => (path.includes('-') ? [`["${path}"]`, `*["${path}"]`, `*.*["${path}"]`] : [path, `*.${path}`, `*.*.${path}`])),
      censor: '***',
    },
    serializers: { err: describedError },
    // A request's own logger has these fields already.
    mixin: (_line: object, _level: number, logger: object) => (isRequestLog in logger ? {} : logFields()),
  };
  if (logLevel === 'silent' || !(mode === 'development' || process.stdout.isTTY)) return options;
  const { default: pretty } = await import('pino-pretty');
  return { ...options, stream: pretty({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss', sync: true }) };
}

const isRequestLog = Symbol('is the log of a request');

/** Creates the logger of a request, whose lines have its fields wherever they are written. */
export const createRequestLog: NonNullable<FastifyServerOptions['childLoggerFactory']> = (logger, bindings, options) =>
  Object.assign(logger.child(bindings, options), { [isRequestLog]: true });

interface SerializedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack: string;
  readonly cause?: SerializedError;
  readonly [more: string]: unknown;
}

/** Describes an error with its causes, without the parameters of a failed statement, which may contain secrets. */
function describedError(error: unknown): SerializedError {
  const { name = 'Error', message = String(error), stack = '', code, cause } = (error ?? {}) as Partial<Error & { code: string; cause: unknown }>;
  const safeMessage = message.replace(/\nparams: [\s\S]*$/, '');
  const frames = stack.slice(Math.max(0, stack.search(/\n {4}at /))).trim();
  return { type: name, message: safeMessage, ...(code ? { code } : {}), stack: frames, ...(cause ? { cause: describedError(cause) } : {}) };
}

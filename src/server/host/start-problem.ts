import { resolve } from 'node:path';
import type { Configuration } from '../base/configuration/configuration.ts';

type Settings = Pick<Configuration, 'databaseUrl' | 'dataDirectory' | 'host' | 'port' | 'timeZone'>;

interface StartFailure {
  readonly code?: string;
  /** WASI error number, from the embedded database's file system. */
  readonly errno?: number;
  readonly syscall?: string;
  readonly path?: string;
  readonly hostname?: string;
  readonly name?: string;
  readonly message?: string;
}

/** Reports that the server could not start; the message is one sentence with the remedy and contains no secret. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Turns a failed start into a sentence for the operator. An unknown failure keeps its own message, without the database's password. */
export function startProblem(error: unknown, settings: Settings): Error {
  const failure = (error ?? {}) as StartFailure;
  const sentence =
    listenProblem(failure, settings) ??
    (settings.databaseUrl ? databaseProblem(failure, settings.databaseUrl, settings.timeZone) : undefined) ??
    diskProblem(failure, settings);
  if (sentence !== undefined) return new StartError(sentence, { cause: error });
  if (!(error instanceof Error)) return new StartError(String(error));
  error.message = withoutPassword(error.message, settings.databaseUrl);
  return error;
}

function listenProblem({ code, syscall, hostname }: StartFailure, { host, port }: Settings): string | undefined {
  const isForeignAddress = code === 'EADDRNOTAVAIL' || (syscall === 'getaddrinfo' && hostname === host);
  if (isForeignAddress) return `HOST ${host} is not an address of this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all.`;
  if (syscall !== 'listen') return undefined;
  if (code === 'EADDRINUSE') return `PORT ${port} is in use by another program. Stop that program, or set PORT to a free port.`;
  if (code === 'EACCES') return `PORT ${port} is not allowed for this user. Set PORT to a port above 1023.`;
  return undefined;
}

const wasiCodes: Readonly<Record<number, string>> = { 2: 'EACCES', 19: 'EDQUOT', 22: 'EFBIG', 51: 'ENOSPC', 63: 'EPERM', 69: 'EROFS' };
const remedy = 'or set DATA_DIR to another folder.';

function diskProblem(failure: StartFailure, { dataDirectory }: Settings): string | undefined {
  const { code, errno, name, path, message = '' } = failure;
  const folder = `DATA_DIR ${resolve(dataDirectory)}`;
  const cause = code ?? (name === 'ErrnoError' && errno !== undefined ? wasiCodes[errno] : undefined);
  const isOfDirectory = name === 'ErrnoError' || (path !== undefined && isWithin(path, dataDirectory));
  if (cause === 'ENOSPC' || cause === 'EDQUOT' || /no space left on device/i.test(message)) return `The disk of ${folder} is full. Free some space, ${remedy}`;
  if (!isOfDirectory) return undefined;
  if (cause === 'EFBIG') return `This user cannot write files as large as those of ${folder}. Raise the limit (ulimit -f), ${remedy}`;
  if (cause === 'EROFS') return `${folder} is on a read-only disk. Make it writable, ${remedy}`;
  if (cause === 'EACCES' || cause === 'EPERM') return `${folder} is not writable for this user. Change its owner, ${remedy}`;
  if (cause === 'ENOTDIR' || cause === 'EEXIST') return `${folder} is not a folder. Remove the file with that name, ${remedy}`;
  if (cause === 'ENOENT') return `${folder} cannot be created. Create its parent folder, ${remedy}`;
  return undefined;
}

/** Tests whether the path is inside the directory or one of its parents. */
function isWithin(path: string, directory: string): boolean {
  const [one, other] = [resolve(path), resolve(directory)];
  return one.startsWith(other) || other.startsWith(one);
}

function databaseProblem({ code = '', message = '' }: StartFailure, address: string, timeZone: string): string | undefined {
  const { hostname, port, username, pathname } = new URL(address);
  const server = `${hostname || 'localhost'}:${port || 5432}`;
  const user = decoded(username) || 'the default user';
  const name = decoded(pathname.slice(1)) || user;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `DATABASE_URL has the unknown host ${hostname}. Correct it.`;
  if (
    /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|08...|57P0[123])$/.test(code) ||
    /^(timeout exceeded when trying to connect|timeout expired|Connection terminated)/.test(message)
  )
    return `No PostgreSQL answers at ${server}. Start it, or correct DATABASE_URL.`;
  if (code === '28P01') return `PostgreSQL at ${server} rejects the password of ${user}. Correct DATABASE_URL.`;
  if (code === '28000') return `PostgreSQL at ${server} does not allow ${user} to sign in. Correct DATABASE_URL, or allow the user in pg_hba.conf.`;
  if (code === '3D000') return `Database ${name} not found at ${server}. Create it with "createdb ${name}", or correct DATABASE_URL.`;
  if (code === '53300') return `PostgreSQL at ${server} has no free connection. Close some, raise its max_connections, or correct DATABASE_URL.`;
  if (code === '22023' && /TimeZone/i.test(message))
    return `PostgreSQL at ${server} does not know the TIME_ZONE ${timeZone}. Set TIME_ZONE to another name of this zone.`;
  if (/does not support SSL/.test(message)) return `PostgreSQL at ${server} does not support TLS. Remove sslmode from DATABASE_URL, or enable TLS there.`;
  return undefined;
}

function withoutPassword(text: string, address: string | undefined): string {
  const { password = '' } = address ? new URL(address) : {};
  return [password, decoded(password)].filter(Boolean).reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import { createHash } from 'node:crypto';
import { ApiError, EgressError, type HttpRequest, type HttpResponse, HttpTimeoutError, type ServerContext } from '#server';
import { authMethods, powerJobProblems } from '../../contract.ts';

/** Connection settings of a PowerJob server. */
export interface PowerJobAddress {
  /** Comma-separated `host:port` or http and https addresses, tried in turn. */
  readonly url: string;
  readonly appName: string;
  readonly password: string;
  readonly signIn: number;
}

interface PowerJobReply {
  readonly success: boolean;
  readonly data?: unknown;
  readonly message?: string | null;
  readonly code?: number | null;
}

interface PowerJobCredentials {
  readonly appId: string;
  readonly headers: Readonly<Record<string, string>>;
}

type PowerJobForm = Readonly<Record<string, string | number | undefined>>;
type Body = { readonly form: PowerJobForm } | { readonly json: object };

export const powerJobTimeoutMs = 10_000;
const maxBytes = 32 * 1024 * 1024;
/** Error codes of connections that were never established, so the call cannot have been executed. */
const connectErrors: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ENETDOWN', 'EADDRNOTAVAIL']);
const authPassedHeader = 'x-powerjob-auth-passed';

/** Parses a list of addresses; undefined when one of them is invalid. */
export function addressesOf(text: string): URL[] | undefined {
  const addresses = text.split(',').map((one) => one.trim());
  if (!addresses.every((one) => /^(https?:\/\/)?[^\s/?#@]+\/?$/.test(one))) return undefined;
  try {
    return addresses.map((one) => new URL(one.includes('://') ? one : `http://${one}`));
  } catch {
    return undefined;
  }
}

/** Client of PowerJob's OpenAPI for one application; all errors are `ApiError`s with a readable message. */
export class PowerJobClient {
  private credentials: Promise<PowerJobCredentials> | undefined;

  constructor(
    private readonly egress: ServerContext['egress'],
    private readonly address: PowerJobAddress,
    private readonly timeoutMs = powerJobTimeoutMs,
  ) {}

  /** Sends a call with form parameters, including `appId`. */
  form(path: string, form: PowerJobForm = {}): Promise<unknown> {
    return this.call(path, ({ appId }) => ({ form: { ...form, appId } }));
  }

  /** Sends a call with a JSON body that is built from the application's id. */
  json(path: string, make: (appId: string) => object): Promise<unknown> {
    return this.call(path, ({ appId }) => ({ json: make(appId) }));
  }

  private async call(path: string, body: (credentials: PowerJobCredentials) => Body): Promise<unknown> {
    const used = this.authenticated();
    const first = await used;
    const { reply, headers } = await this.send(path, body(first), first.headers);
    if (reply.success) return reply.data;
    const isExpired = this.address.signIn === authMethods.token && headers[authPassedHeader] !== 'true';
    if (!isExpired) throw apiErrorOf(reply);
    // The token has expired or the server was restarted; the first call that finds out requests a new one.
    if (this.credentials === used) this.credentials = undefined;
    const second = await this.authenticated();
    const retried = await this.send(path, body(second), second.headers);
    if (retried.reply.success) return retried.reply.data;
    throw apiErrorOf(retried.reply);
  }

  private authenticated(): Promise<PowerJobCredentials> {
    this.credentials ??= this.signIn().catch((error) => {
      this.credentials = undefined;
      throw error;
    });
    return this.credentials;
  }

  private async signIn(): Promise<PowerJobCredentials> {
    const { appName, password, signIn } = this.address;
    if (signIn === authMethods.token) {
      const encryptedPassword = createHash('md5').update(password).digest('hex');
      const { reply } = await this.send('/authApp', { json: { appName, encryptedPassword, encryptType: 'md5' } }, {});
      const { appId, token } = (reply.data ?? {}) as { appId?: number | string; token?: string };
      if (!reply.success) throw apiErrorOf(reply);
      if (appId === undefined || !token) throw new ApiError(powerJobProblems.invalidResponse, { status: 200 });
      return { appId: String(appId), headers: { 'X-POWERJOB-APP-ID': String(appId), 'X-POWERJOB-ACCESS-TOKEN': token } };
    }
    const { reply } = await this.send('/assert', { form: { appName, password } }, {});
    if (!reply.success) throw apiErrorOf(reply);
    if (!/^\d+$/.test(String(reply.data))) throw new ApiError(powerJobProblems.invalidResponse, { status: 200 });
    return { appId: String(reply.data), headers: {} };
  }

  /** Sends a request, to the next address only if no connection could be established; otherwise the call might be executed twice. */
  private async send(path: string, body: Body, headers: Readonly<Record<string, string>>): Promise<{ reply: PowerJobReply; headers: HttpResponse['headers'] }> {
    let failure: unknown;
    for (const address of addressesOf(this.address.url) ?? []) {
      try {
        this.egress.check(address);
        const answer = await this.egress.send(new URL(`/openApi${path}`, address), this.requestOf(body, headers));
        return { reply: parsedReply(answer), headers: answer.headers };
      } catch (error) {
        failure = error;
        if (!(error instanceof EgressError) && !connectErrors.has((error as { code?: string }).code ?? '')) break;
      }
    }
    throw this.connectionError(failure);
  }

  /** Opens a new connection for each call: a pooled one might be closed at that moment, and the client could not tell whether the call was executed. */
  private requestOf(body: Body, headers: Readonly<Record<string, string>>): HttpRequest {
    const request = encoded(body);
    return { ...request, headers: { ...request.headers, ...headers, connection: 'close' }, method: 'POST', timeoutMs: this.timeoutMs, maxBytes };
  }

  private connectionError(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof HttpTimeoutError) return new ApiError(powerJobProblems.timeout, { seconds: Math.ceil(this.timeoutMs / 1000) }, { cause: error });
    const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
    if (error instanceof EgressError) return new ApiError(powerJobProblems.unreachable, { reason: 'EGRESS_ALLOW' }, { cause: error });
    if (connectErrors.has(code) || /CERT|TLS|SSL|SELF_SIGNED/.test(code)) return new ApiError(powerJobProblems.unreachable, { reason: code }, { cause: error });
    return new ApiError(powerJobProblems.connectionLost, { reason: code || message }, { cause: error });
  }
}

function encoded(body: Body): { headers: Record<string, string>; body: string } {
  if ('json' in body) return { headers: { 'content-type': 'application/json;charset=utf-8' }, body: JSON.stringify(body.json) };
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body.form)) if (value !== undefined) form.append(name, String(value));
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form.toString() };
}

function parsedReply({ status, text }: HttpResponse): PowerJobReply {
  const parsed = parseJson(text);
  const reply = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Partial<PowerJobReply>;
  if (status < 200 || status > 299 || typeof reply.success !== 'boolean') throw new ApiError(powerJobProblems.invalidResponse, { status });
  return reply as PowerJobReply;
}

const problemsByCode: Readonly<Record<string, typeof powerJobProblems.refused>> = {
  '-300': powerJobProblems.invalid,
  '-400': powerJobProblems.wrongPassword,
  '-401': powerJobProblems.token,
  '-402': powerJobProblems.noApp,
  '-403': powerJobProblems.token,
  '-500': powerJobProblems.failed,
  '-501': powerJobProblems.failed,
  '-1002': powerJobProblems.token,
};
const maxMessageLength = 500;

function apiErrorOf({ code, message }: PowerJobReply): ApiError {
  const text = (message ?? '').slice(0, maxMessageLength) || String(code ?? '');
  return new ApiError(problemsByCode[String(code)] ?? powerJobProblems.refused, { message: text });
}

/** Matches strings, which stay unchanged, and integers with more digits than a double can hold. */
const stringOrLongInteger = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+])-?\d{16,}(?![\d.eE])/g;

/** Parses JSON and returns integers above 2⁵³ as text, because PowerJob's run ids are that long; undefined when it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(stringOrLongInteger, (part) => (part.startsWith('"') ? part : `"${part}"`)));
  } catch {
    return undefined;
  }
}

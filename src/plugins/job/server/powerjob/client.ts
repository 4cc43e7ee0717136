import { createHash } from 'node:crypto';
import { ApiError, EgressError, type ServerContext } from '#server';
import { powerJobProblems, signIns } from '../../contract.ts';
import { type HttpQuestion, type HttpReply, HttpTimeoutError, httpAnswer } from '../http-answer.ts';
import { readJson } from './read-json.ts';

/** Connection settings of a PowerJob server. */
export interface PowerJobAddress {
  /** Comma-separated `host:port` or http and https addresses, tried in turn. */
  readonly url: string;
  readonly appName: string;
  readonly password: string;
  readonly signIn: number;
}

interface Reply {
  readonly success: boolean;
  readonly data?: unknown;
  readonly message?: string | null;
  readonly code?: number | null;
}

interface Admission {
  readonly appId: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Form = Readonly<Record<string, string | number | undefined>>;
type Body = { readonly form: Form } | { readonly json: object };

export const powerJobTimeoutMs = 10_000;
const maxBytes = 32 * 1024 * 1024;
/** Error codes of connections that were never established, so the call cannot have been executed. */
const neverReached: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ENETDOWN', 'EADDRNOTAVAIL']);
const passed = 'x-powerjob-auth-passed';

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
  private admission: Promise<Admission> | undefined;

  constructor(
    private readonly egress: ServerContext['egress'],
    private readonly address: PowerJobAddress,
    private readonly timeoutMs = powerJobTimeoutMs,
  ) {}

  /** Sends a call with form parameters, including `appId`. */
  form(path: string, form: Form = {}): Promise<unknown> {
    return this.call(path, ({ appId }) => ({ form: { ...form, appId } }));
  }

  /** Sends a call with a JSON body that is built from the application's id. */
  json(path: string, make: (appId: string) => object): Promise<unknown> {
    return this.call(path, ({ appId }) => ({ json: make(appId) }));
  }

  private async call(path: string, body: (credentials: Admission) => Body): Promise<unknown> {
    const used = this.admitted();
    const first = await used;
    const { reply, headers } = await this.ask(path, body(first), first.headers);
    if (reply.success) return reply.data;
    const isUnknown = this.address.signIn === signIns.token && headers[passed] !== 'true';
    if (!isUnknown) throw refusalOf(reply);
    // The token has expired or the server was restarted; the first call that finds out requests a new one.
    if (this.admission === used) this.admission = undefined;
    const second = await this.admitted();
    const again = await this.ask(path, body(second), second.headers);
    if (again.reply.success) return again.reply.data;
    throw refusalOf(again.reply);
  }

  private admitted(): Promise<Admission> {
    this.admission ??= this.signIn().catch((error) => {
      this.admission = undefined;
      throw error;
    });
    return this.admission;
  }

  private async signIn(): Promise<Admission> {
    const { appName, password, signIn } = this.address;
    if (signIn === signIns.token) {
      const encryptedPassword = createHash('md5').update(password).digest('hex');
      const { reply } = await this.ask('/authApp', { json: { appName, encryptedPassword, encryptType: 'md5' } }, {});
      const { appId, token } = (reply.data ?? {}) as { appId?: number | string; token?: string };
      if (!reply.success) throw refusalOf(reply);
      if (appId === undefined || !token) throw new ApiError(powerJobProblems.odd, { status: 200 });
      return { appId: String(appId), headers: { 'X-POWERJOB-APP-ID': String(appId), 'X-POWERJOB-ACCESS-TOKEN': token } };
    }
    const { reply } = await this.ask('/assert', { form: { appName, password } }, {});
    if (!reply.success) throw refusalOf(reply);
    if (!/^\d+$/.test(String(reply.data))) throw new ApiError(powerJobProblems.odd, { status: 200 });
    return { appId: String(reply.data), headers: {} };
  }

  /** Tries another address only when the connection could not be established; otherwise the call might be executed twice. */
  private async ask(path: string, body: Body, headers: Readonly<Record<string, string>>): Promise<{ reply: Reply; headers: HttpReply['headers'] }> {
    let failure: unknown;
    for (const address of addressesOf(this.address.url) ?? []) {
      try {
        this.egress.check(address);
        const answer = await httpAnswer(this.egress, new URL(`/openApi${path}`, address), this.question(body, headers));
        return { reply: replyIn(answer), headers: answer.headers };
      } catch (error) {
        failure = error;
        if (!(error instanceof EgressError) && !neverReached.has((error as { code?: string }).code ?? '')) break;
      }
    }
    throw this.refusalOn(failure);
  }

  /** Opens a new connection for each call: a pooled one might be closed at that moment, and the client could not tell whether the call was executed. */
  private question(body: Body, headers: Readonly<Record<string, string>>): HttpQuestion {
    const question = sent(body);
    return { ...question, headers: { ...question.headers, ...headers, connection: 'close' }, method: 'POST', timeoutMs: this.timeoutMs, mostBytes: maxBytes };
  }

  private refusalOn(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof HttpTimeoutError) return new ApiError(powerJobProblems.slow, { seconds: Math.ceil(this.timeoutMs / 1000) }, { cause: error });
    const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
    if (error instanceof EgressError) return new ApiError(powerJobProblems.unreachable, { reason: 'EGRESS_ALLOW' }, { cause: error });
    if (neverReached.has(code) || /CERT|TLS|SSL|SELF_SIGNED/.test(code)) return new ApiError(powerJobProblems.unreachable, { reason: code }, { cause: error });
    return new ApiError(powerJobProblems.dropped, { reason: code || message }, { cause: error });
  }
}

function sent(body: Body): { headers: Record<string, string>; body: string } {
  if ('json' in body) return { headers: { 'content-type': 'application/json;charset=utf-8' }, body: JSON.stringify(body.json) };
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body.form)) if (value !== undefined) form.append(name, String(value));
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form.toString() };
}

function replyIn({ status, text }: HttpReply): Reply {
  const read = readJson(text);
  const reply = (typeof read === 'object' && read !== null ? read : {}) as Partial<Reply>;
  if (status < 200 || status > 299 || typeof reply.success !== 'boolean') throw new ApiError(powerJobProblems.odd, { status });
  return reply as Reply;
}

const byCode: Readonly<Record<string, typeof powerJobProblems.refused>> = {
  '-300': powerJobProblems.invalid,
  '-400': powerJobProblems.wrongPassword,
  '-401': powerJobProblems.token,
  '-402': powerJobProblems.noApp,
  '-403': powerJobProblems.token,
  '-500': powerJobProblems.failed,
  '-501': powerJobProblems.failed,
  '-1002': powerJobProblems.token,
};
const longestMessage = 500;

function refusalOf({ code, message }: Reply): ApiError {
  const text = (message ?? '').slice(0, longestMessage) || String(code ?? '');
  return new ApiError(byCode[String(code)] ?? powerJobProblems.refused, { message: text });
}

import * as Type from 'typebox';
import type { Processor, ServerContext } from '#server';
import { LongText, Nullable, Select, Url } from '#shared/fields';
import { httpAnswer } from '../http-answer.ts';

const timeoutMs = 60_000;
const maxBytes = 64 * 1024;
const shownCharacters = 1000;

const Params = Type.Object({
  url: Url({ title: ['地址', 'Address'] }),
  method: Nullable(
    Select({
      title: ['方法', 'Method'],
      options: [
        ['GET', ['GET', 'GET']],
        ['POST', ['POST', 'POST']],
        ['PUT', ['PUT', 'PUT']],
        ['DELETE', ['DELETE', 'DELETE']],
      ],
    }),
  ),
  body: Nullable(LongText({ title: ['内容', 'Body'] })),
});

interface HttpCallRequest {
  readonly url: string;
  readonly method?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | null;
}

/** Calls an address through the egress guard; any status but 2xx is a failure. All attempts of a run carry the same idempotency key, which reveals repetitions. */
export const callHttp = ({ egress }: Pick<ServerContext, 'egress'>): Processor => ({
  title: ['HTTP 调用', 'HTTP call'],
  help: [
    '参数为 JSON：{"url":"https://…","method":"POST","headers":{},"body":"…"}；实例参数非空时作为内容',
    'JSON: {"url":"https://…","method":"POST","headers":{},"body":"…"}. Instance parameters, if any, replace the body',
  ],
  params: Params,
  async run(run) {
    const callRequest = JSON.parse(run.params || '{}') as HttpCallRequest;
    const url = new URL(callRequest.url);
    egress.check(url);
    run.log('info', `${callRequest.method ?? 'GET'} ${url.origin}${url.pathname}`);
    const { status, text } = await httpAnswer(egress, url, {
      method: callRequest.method ?? 'GET',
      headers: { 'idempotency-key': run.instanceId, ...callRequest.headers },
      body: run.instanceParams || callRequest.body || '',
      signal: run.signal,
      timeoutMs,
      mostBytes: maxBytes,
    });
    run.log('debug', text.slice(0, shownCharacters));
    if (status < 200 || status > 299) throw new Error(`HTTP ${status}: ${text.slice(0, shownCharacters)}`);
    return `HTTP ${status}`;
  },
});

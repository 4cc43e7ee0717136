import type { Static } from 'typebox';
import * as Type from 'typebox';
import type { Processor, ServerContext } from '#server';
import { LongText, Nullable, Select, Url } from '#shared/fields';
import { sendHttp } from '../send-http.ts';

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

type HttpCall = Static<typeof Params> & { readonly headers?: Readonly<Record<string, string>> };

/** Calls an address through the egress guard; any status but 2xx is a failure. All attempts of a run carry the same idempotency key, which reveals repetitions. */
export const httpCall = ({ egress }: Pick<ServerContext, 'egress'>): Processor => ({
  title: ['HTTP 调用', 'HTTP call'],
  help: [
    '参数为 JSON：{"url":"https://…","method":"POST","headers":{},"body":"…"}；实例参数非空时作为内容',
    'JSON: {"url":"https://…","method":"POST","headers":{},"body":"…"}. Instance parameters, if any, replace the body',
  ],
  params: Params,
  async run(run) {
    const call = JSON.parse(run.params || '{}') as HttpCall;
    const url = new URL(call.url);
    egress.check(url);
    run.log('info', `${call.method ?? 'GET'} ${url.origin}${url.pathname}`);
    const { status, text } = await sendHttp(egress, url, {
      method: call.method ?? 'GET',
      headers: { 'idempotency-key': run.instanceId, ...call.headers },
      body: run.instanceParams || call.body || '',
      signal: run.signal,
      timeoutMs,
      maxBytes: maxBytes,
    });
    run.log('debug', text.slice(0, shownCharacters));
    if (status < 200 || status > 299) throw new Error(`HTTP ${status}: ${text.slice(0, shownCharacters)}`);
    return `HTTP ${status}`;
  },
});

import { Object as Shape } from 'typebox';
import type { Processor, ServerContext } from '#server';
import { Choice, LongText, Optional, Url } from '#shared/fields';
import { httpAnswer } from '../http-answer.ts';

const patience = 60_000;
const mostBytes = 64 * 1024;
const shownCharacters = 1000;

const Params = Shape({
  url: Url({ title: ['地址', 'Address'] }),
  method: Optional(
    Choice({
      title: ['方法', 'Method'],
      options: [
        ['GET', ['GET', 'GET']],
        ['POST', ['POST', 'POST']],
        ['PUT', ['PUT', 'PUT']],
        ['DELETE', ['DELETE', 'DELETE']],
      ],
    }),
  ),
  body: Optional(LongText({ title: ['内容', 'Body'] })),
});

interface Asked {
  readonly url: string;
  readonly method?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | null;
}

/** Calls an address through the way out; anything but 2xx has failed. Every attempt of a run bears the same key, so that the other side can tell a repetition. */
export const callHttp = ({ egress }: Pick<ServerContext, 'egress'>): Processor => ({
  title: ['HTTP 调用', 'HTTP call'],
  help: [
    '参数为 JSON：{"url":"https://…","method":"POST","headers":{},"body":"…"}；实例参数非空时作为内容',
    'JSON: {"url":"https://…","method":"POST","headers":{},"body":"…"}. Parameters of a run take the place of the body',
  ],
  params: Params,
  async run(run) {
    const asked = JSON.parse(run.params || '{}') as Asked;
    const url = new URL(asked.url);
    egress.check(url);
    run.log('info', `${asked.method ?? 'GET'} ${url.origin}${url.pathname}`);
    const { status, text } = await httpAnswer(egress, url, {
      method: asked.method ?? 'GET',
      headers: { 'idempotency-key': run.instanceId, ...asked.headers },
      body: run.instanceParams || asked.body || '',
      signal: run.signal,
      patience,
      mostBytes,
    });
    run.log('debug', text.slice(0, shownCharacters));
    if (status < 200 || status > 299) throw new Error(`HTTP ${status}: ${text.slice(0, shownCharacters)}`);
    return `HTTP ${status}`;
  },
});

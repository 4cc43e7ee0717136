import { type ClientRequest, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { Object as Shape } from 'typebox';
import type { JobRun, Processor, ServerContext } from '#server';
import { Choice, LongText, Optional, Url } from '#shared/fields';

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
    const { status, text } = await answer(egress, url, asked, run);
    run.log('debug', text.slice(0, shownCharacters));
    if (status < 200 || status > 299) throw new Error(`HTTP ${status}: ${text.slice(0, shownCharacters)}`);
    return `HTTP ${status}`;
  },
});

function answer(
  egress: ServerContext['egress'],
  url: URL,
  asked: Asked,
  { signal, instanceId, instanceParams }: JobRun,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const body = instanceParams || asked.body || '';
    const headers = { 'user-agent': 'marquee', 'idempotency-key': instanceId, 'content-length': String(Buffer.byteLength(body)), ...asked.headers };
    const options = { method: asked.method ?? 'GET', headers, signal, timeout: patience, agent: isSecure ? egress.agents.httpsAgent : egress.agents.httpAgent };
    const asking: ClientRequest = (isSecure ? secureRequest : request)(url, options, (reply) => {
      let text = '';
      reply.setEncoding('utf8');
      reply.on('data', (part: string) => {
        if (text.length < mostBytes) text += part;
      });
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }));
      reply.on('error', reject);
    });
    asking.on('timeout', () => asking.destroy(new Error('no answer in time')));
    asking.on('error', reject);
    asking.end(body);
  });
}

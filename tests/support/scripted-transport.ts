import type { Call, InputOf, ReplyOf } from '#shared/contract';
import { Transport, type WireRequest, type WireResponse, type WireStream } from '../../src/kernel/platform/http/transport.ts';
import { TransportError } from '../../src/kernel/platform/http/transport-error.ts';

/** Script of a call: returns an HTTP status and body, now or later, or rejects. */
export type Script = (request: WireRequest) => WireResponse | Promise<WireResponse>;

/** Scripted reply of one path. */
export type ScriptedAnswer = readonly [path: string, script: Script];

/** Makes the call succeed with this data, in the envelope unless the call is bare. */
export function answer<C extends Call>(
  call: C,
  reply: ReplyOf<C> | ((input: InputOf<C>, request: WireRequest) => ReplyOf<C> | Promise<ReplyOf<C>>),
): ScriptedAnswer {
  return [
    call.path,
    async (request) => {
      const data =
        typeof reply === 'function' ? await (reply as (input: InputOf<C>, request: WireRequest) => ReplyOf<C>)(inputOf(request) as InputOf<C>, request) : reply;
      return { status: 200, body: call.bare ? data : { code: 200, success: true, data, msg: '操作成功' } };
    },
  ];
}

/** Makes the server refuse the call in the envelope; the HTTP status equals the code. */
export const refusal = (call: Call, code: number, msg: string): ScriptedAnswer => [
  call.path,
  () => ({ status: code, body: { code, success: false, data: null, msg } }),
];

/** Makes the call return exactly this response. */
export const response = (call: Call, status: number, body: unknown): ScriptedAnswer => [call.path, () => ({ status, body })];

/** Answers the call with a script. */
export const script = (call: Call, answering: Script): ScriptedAnswer => [call.path, answering];

/** Returns the parameters of a request, from query and body. */
export function inputOf({ query, body }: WireRequest): Record<string, unknown> {
  if (!body) return query ?? {};
  if ('text' in body) return JSON.parse(body.text);
  if ('file' in body) return { ...body.fields, file: body.file };
  return 'form' in body ? body.form : (body.json as Record<string, unknown>);
}

/** Paths that the current test has requested without a script for them. */
export const unscriptedPaths = new Set<string>();

/** Network that answers by script and records its requests. */
export class ScriptedTransport extends Transport {
  readonly requests: WireRequest[] = [];
  /** Opens streams; one that is not scripted never opens. */
  onOpen: (request: WireRequest) => Promise<WireStream> = silence;
  private readonly scripts = new Map<string, Script>();

  constructor(answers: readonly ScriptedAnswer[] = []) {
    super();
    this.answer(...answers);
  }

  /** Changes the replies of these paths from now on. */
  answer(...answers: readonly ScriptedAnswer[]): void {
    for (const [path, answering] of answers) this.scripts.set(path, answering);
  }

  open(request: WireRequest): Promise<WireStream> {
    return this.onOpen(request);
  }

  to({ path }: Pick<Call, 'path'>): WireRequest[] {
    return this.requests.filter((request) => request.path === path);
  }

  async request(request: WireRequest): Promise<WireResponse> {
    this.requests.push(request);
    const answering = this.scripts.get(request.path);
    if (!answering) unscriptedPaths.add(request.path);
    if (!answering) return { status: 404, body: { code: 404, success: false, data: null, msg: `No script for ${request.path}` } };
    return new Promise((resolve, reject) => {
      const cancel = () => reject(new TransportError('cancelled'));
      request.signal.addEventListener('abort', cancel, { once: true });
      Promise.resolve(answering(request))
        .then(resolve, reject)
        .finally(() => request.signal.removeEventListener('abort', cancel));
    });
  }
}

const silence = ({ signal }: WireRequest) =>
  new Promise<WireStream>((_resolve, reject) => signal.addEventListener('abort', () => reject(new TransportError('cancelled')), { once: true }));

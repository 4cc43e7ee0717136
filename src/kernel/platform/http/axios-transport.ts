import type { AxiosAdapter, AxiosInstance, AxiosRequestConfig } from 'axios';
import { requestTimeoutMs, Transport, type WireBody, type WireRequest, type WireResponse, type WireStream } from './transport.ts';
import { TransportError } from './transport-error.ts';

/** Time-out of an upload in milliseconds. */
const uploadTimeoutMs = 300_000;
/** Statuses that count as answers. */
const isAnswered = (status: number) => status >= 200 && status <= 500;

/** Axios is part of the first file and runs with the first request, after the sign-in form has appeared. */
const loadAxios = () => import(/* webpackMode: "eager" */ 'axios');

/** Carries requests with axios, credentials included. */
export class AxiosTransport extends Transport {
  private client: Promise<AxiosInstance> | undefined;

  constructor(
    private readonly baseURL = '',
    private readonly timeoutMs = requestTimeoutMs,
  ) {
    super();
  }

  async request({ method, path, headers, query, body, signal, keepAlive, onProgress }: WireRequest): Promise<WireResponse> {
    try {
      const client = await this.loadedClient();
      const {
        status,
        data,
        headers: responseHeaders,
      } = await client.request<unknown>({
        method,
        url: path,
        headers: { ...headers, ...(body && 'text' in body ? { 'Content-Type': 'text/plain' } : {}) },
        signal,
        ...(keepAlive ? { fetchOptions: { keepalive: true } } : {}),
        ...(query ? { params: query } : {}),
        ...(body ? { data: dataOf(body) } : {}),
        ...(body && 'file' in body ? uploading(onProgress) : {}),
      });
      return { status, body: data, traceresponse: responseHeaders.traceresponse };
    } catch (error) {
      throw await transportErrorOf(error);
    }
  }

  async open({ method, path, headers, query, signal }: WireRequest): Promise<WireStream> {
    try {
      const client = await this.loadedClient();
      const { status, data } = await client.request<ReadableStream<Uint8Array> | undefined>({
        method,
        url: path,
        headers: { ...headers },
        signal,
        timeout: 0,
        responseType: 'stream',
        validateStatus: () => true,
        ...(query ? { params: query } : {}),
      });
      return { status, body: data };
    } catch (error) {
      throw await transportErrorOf(error);
    }
  }

  private loadedClient(): Promise<AxiosInstance> {
    this.client ??= loadAxios().then(({ default: axios }) =>
      axios.create({
        adapter: 'fetch',
        baseURL: this.baseURL,
        timeout: this.timeoutMs,
        withCredentials: true,
        // The token header identifies the user, so no XSRF cookie is read.
        withXSRFToken: false,
        validateStatus: isAnswered,
      }),
    );
    return this.client;
  }
}

/** Loaded with the first upload: requests without progress use the smaller default adapter. */
const uploadAdapter: AxiosAdapter = async (config) => (await import('axios/unsafe/adapters/xhr.js')).default(config);

/** Uploads take longer than other requests, and only the adapter loaded here reports progress. */
function uploading(onProgress: WireRequest['onProgress']): AxiosRequestConfig {
  if (!onProgress) return { timeout: uploadTimeoutMs };
  return { adapter: uploadAdapter, timeout: uploadTimeoutMs, onUploadProgress: ({ loaded, total }) => onProgress(total ? loaded / total : 0) };
}

/** Appends the file last: the server reads the fields before it. */
function dataOf(body: WireBody): unknown {
  if ('json' in body) return body.json;
  if ('text' in body) return body.text;
  if ('form' in body) return new URLSearchParams(body.form);
  const form = new FormData();
  for (const [name, value] of Object.entries(body.fields)) form.append(name, value);
  form.append('file', body.file, body.file.name);
  return form;
}

async function transportErrorOf(cause: unknown): Promise<TransportError> {
  const { isAxiosError } = await loadAxios();
  if (!isAxiosError(cause)) return new TransportError('unreachable', { cause });
  if (cause.code === 'ERR_CANCELED') return new TransportError('cancelled', { cause });
  if (cause.code === 'ECONNABORTED' || cause.code === 'ETIMEDOUT') return new TransportError('timeout', { cause });
  if (cause.response) return new TransportError('unavailable', { code: cause.response.status, cause });
  return new TransportError(navigator.onLine === false ? 'offline' : 'unreachable', { cause });
}

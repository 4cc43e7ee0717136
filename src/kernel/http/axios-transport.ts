import axios, { type AxiosAdapter, type AxiosInstance, type AxiosRequestConfig, isAxiosError } from 'axios';
import { TransportError } from '../errors/transport-error.ts';
import { Transport, type WireBody, type WireRequest, type WireResponse, type WireStream } from './transport.ts';

/** `product.md` §9: time-out in milliseconds and the statuses that count as answers. */
const timeout = 10_000;
/** Milliseconds in which a file must have arrived. */
const uploadTimeout = 300_000;
const isAnswered = (status: number) => status >= 200 && status <= 500;

/** Carries requests with axios, credentials included. */
export class AxiosTransport extends Transport {
  private readonly client: AxiosInstance;

  constructor(baseURL = '', timeoutMilliseconds = timeout) {
    super();
    this.client = axios.create({
      adapter: 'fetch',
      baseURL,
      timeout: timeoutMilliseconds,
      withCredentials: true,
      // Who asks is said by a header of ours; no cookie is read for each request.
      withXSRFToken: false,
      validateStatus: isAnswered,
    });
  }

  async request({ method, path, headers, query, body, signal, onProgress }: WireRequest): Promise<WireResponse> {
    try {
      const { status, data } = await this.client.request<unknown>({
        method,
        url: path,
        headers: { ...headers },
        signal,
        ...(query ? { params: query } : {}),
        ...(body ? { data: dataOf(body) } : {}),
        ...(body && 'file' in body ? uploading(onProgress) : {}),
      });
      return { status, body: data };
    } catch (error) {
      throw transportErrorOf(error);
    }
  }

  async open({ method, path, headers, query, signal }: WireRequest): Promise<WireStream> {
    try {
      const { status, data } = await this.client.request<ReadableStream<Uint8Array> | undefined>({
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
      throw transportErrorOf(error);
    }
  }
}

/** Fetched with the first file: requests that say nothing about their progress do without it. */
const uploadAdapter: AxiosAdapter = async (config) => (await import('axios/unsafe/adapters/xhr.js')).default(config);

/** Files take longer than other requests, and only the adapter asked for here says how far one is. */
function uploading(onProgress: WireRequest['onProgress']): AxiosRequestConfig {
  if (!onProgress) return { timeout: uploadTimeout };
  return { adapter: uploadAdapter, timeout: uploadTimeout, onUploadProgress: ({ loaded, total }) => onProgress(total ? loaded / total : 0) };
}

/** The file stands last: the server reads what belongs to it before. */
function dataOf(body: WireBody): unknown {
  if ('json' in body) return body.json;
  if ('form' in body) return new URLSearchParams(body.form);
  const form = new FormData();
  for (const [name, value] of Object.entries(body.fields)) form.append(name, value);
  form.append('file', body.file, body.file.name);
  return form;
}

function transportErrorOf(cause: unknown): TransportError {
  if (!isAxiosError(cause)) return new TransportError('unreachable', { cause });
  if (cause.code === 'ERR_CANCELED') return new TransportError('cancelled', { cause });
  if (cause.code === 'ECONNABORTED' || cause.code === 'ETIMEDOUT') return new TransportError('timeout', { cause });
  if (cause.response) return new TransportError('unavailable', { code: cause.response.status, cause });
  return new TransportError(navigator.onLine === false ? 'offline' : 'unreachable', { cause });
}

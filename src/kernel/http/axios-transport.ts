import axios, { type AxiosInstance, isAxiosError } from 'axios';
import { TransportError } from '../errors/transport-error.ts';
import { Transport, type WireRequest, type WireResponse } from './transport.ts';

/** `product.md` §9: time-out in milliseconds and the statuses that count as answers. */
const timeout = 10_000;
const isAnswered = (status: number) => status >= 200 && status <= 500;

/** Carries requests with axios, credentials included. */
export class AxiosTransport extends Transport {
  private readonly client: AxiosInstance;

  constructor(baseURL = '', timeoutMilliseconds = timeout) {
    super();
    this.client = axios.create({ adapter: 'fetch', baseURL, timeout: timeoutMilliseconds, withCredentials: true, validateStatus: isAnswered });
  }

  async request({ method, path, headers, query, body, signal }: WireRequest): Promise<WireResponse> {
    try {
      const { status, data } = await this.client.request<unknown>({
        method,
        url: path,
        headers: { ...headers },
        signal,
        ...(query ? { params: query } : {}),
        ...(body ? { data: 'form' in body ? new URLSearchParams(body.form) : body.json } : {}),
      });
      return { status, body: data };
    } catch (error) {
      throw transportErrorOf(error);
    }
  }
}

function transportErrorOf(cause: unknown): TransportError {
  if (!isAxiosError(cause)) return new TransportError('unreachable', { cause });
  if (cause.code === 'ERR_CANCELED') return new TransportError('cancelled', { cause });
  if (cause.code === 'ECONNABORTED' || cause.code === 'ETIMEDOUT') return new TransportError('timeout', { cause });
  if (cause.response) return new TransportError('unavailable', { code: cause.response.status, cause });
  return new TransportError(navigator.onLine === false ? 'offline' : 'unreachable', { cause });
}

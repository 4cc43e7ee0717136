import { Transport, type WireRequest, type WireResponse, type WireStream } from '../http/transport.ts';
import { TransportError } from '../http/transport-error.ts';
import type { Connection } from './connection.ts';

/** Reports the outcome of each request of another transport to the connection. */
export class ConnectivityTransport extends Transport {
  constructor(
    private readonly inner: Transport,
    private readonly connection: Connection,
  ) {
    super();
  }

  async request(request: WireRequest): Promise<WireResponse> {
    const end = this.connection.trackRequest();
    try {
      const response = await this.inner.request(request);
      end(true);
      return response;
    } catch (error) {
      end(isUnanswered(error) ? false : undefined);
      throw error;
    }
  }

  open(request: WireRequest): Promise<WireStream> {
    return this.inner.open(request);
  }
}

/** A cancelled request says nothing about the connection to the server. */
const isUnanswered = (error: unknown) => error instanceof TransportError && ['timeout', 'offline', 'unreachable', 'unavailable'].includes(error.fault);

import { TransportError } from '../errors/transport-error.ts';
import { Transport, type WireRequest, type WireResponse, type WireStream } from '../http/transport.ts';
import type { Connection } from './connection.ts';

/** Tells the connection how the requests of another transport fare. */
export class WatchedTransport extends Transport {
  constructor(
    private readonly inner: Transport,
    private readonly connection: Connection,
  ) {
    super();
  }

  async request(request: WireRequest): Promise<WireResponse> {
    const end = this.connection.begun();
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

/** A request that was cancelled says nothing about the way to the server. */
const isUnanswered = (error: unknown) => error instanceof TransportError && ['timeout', 'offline', 'unreachable', 'unavailable'].includes(error.fault);

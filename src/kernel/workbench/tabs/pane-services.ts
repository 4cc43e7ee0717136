import type { Call, InputOf, ReplyOf } from '#shared/contract';
import type { ServiceClass, Services } from '../../base/container/services.ts';
import { type Answer, Http, type SendOptions } from '../../platform/http/http.ts';

/** Wraps the services of a page: its requests are cancelled when its tab ends. */
export class PaneServices implements Services {
  private http: Http | undefined;

  constructor(
    private readonly services: Services,
    private readonly signal: AbortSignal,
  ) {}

  get<Service>(service: ServiceClass<Service>): Service {
    if ((service as ServiceClass) !== Http) return this.services.get(service);
    this.http ??= new PaneHttp(this.services.get(Http), this.signal);
    return this.http as Service;
  }
}

class PaneHttp extends Http {
  constructor(
    private readonly http: Http,
    private readonly signal: AbortSignal,
  ) {
    super();
  }

  send<C extends Call>(call: C, input: InputOf<C>, options: SendOptions = {}): Promise<Answer<ReplyOf<C>>> {
    const signal = options.signal ? AbortSignal.any([this.signal, options.signal]) : this.signal;
    return this.http.send(call, input, { ...options, signal });
  }
}

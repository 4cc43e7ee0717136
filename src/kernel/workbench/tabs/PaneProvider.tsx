import { type ReactNode, useContext, useMemo } from 'react';
import type { Call, InputOf, ReplyOf } from '#shared/contract';
import type { ServiceClass, Services } from '../../base/container/services.ts';
import { ServicesProvider } from '../../base/react/services.tsx';
import { type Answer, Http, type SendOptions } from '../../platform/http/http.ts';
import { PaneContext } from '../../ui/pane/pane-context.ts';

/** Provides services to a page in a tab; its `Http` ends with the tab. */
export function PaneProvider({ services, children }: { readonly services: Services; readonly children: ReactNode }) {
  const { signal } = useContext(PaneContext);
  const paneServices = useMemo(() => (signal ? new PaneServices(services, signal) : services), [services, signal]);
  return <ServicesProvider services={paneServices}>{children}</ServicesProvider>;
}

/** Wraps the services of a page: its requests are cancelled when its tab ends. */
class PaneServices implements Services {
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

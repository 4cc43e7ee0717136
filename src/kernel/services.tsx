import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { ServiceClass } from './plugin.ts';

/** Anything services are obtained from: the light kernel, the console's container, a plugin's own container. */
export interface Services {
  /** The service bound to this class; throws when there is none. */
  get<Service>(service: ServiceClass<Service>): Service;
}

const ServicesContext = createContext<Services | undefined>(undefined);

/** Lends services to the components below; a plugin's page stands in the provider of its plugin. */
export function ServicesProvider({ services, children }: { readonly services: Services; readonly children: ReactNode }) {
  return <ServicesContext value={services}>{children}</ServicesContext>;
}

/** The services of the nearest provider. */
export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('A component that uses services stands outside of <ServicesProvider>');
  return services;
}

/** One service of the nearest provider. */
export function useService<Service>(service: ServiceClass<Service>): Service {
  const services = useServices();
  return useMemo(() => services.get(service), [services, service]);
}

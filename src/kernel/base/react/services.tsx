import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { ServiceClass, Services } from '../container/services.ts';

const ServicesContext = createContext<Services | undefined>(undefined);

/** Provides services to the components below; a plugin's page is inside the provider of its plugin. */
export function ServicesProvider({ services, children }: { readonly services: Services; readonly children: ReactNode }) {
  return <ServicesContext value={services}>{children}</ServicesContext>;
}

/** Returns the services of the nearest provider. */
export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('useService must be used inside <ServicesProvider>');
  return services;
}

/** Returns one service of the nearest provider. */
export function useService<Service>(service: ServiceClass<Service>): Service {
  const services = useServices();
  return useMemo(() => services.get(service), [services, service]);
}

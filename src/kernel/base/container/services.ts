/** A class used as the identifier of its service: a port (abstract) or the class itself. */
export type ServiceClass<Service = unknown> = abstract new (...arguments_: never[]) => Service;

type ResolvedServices<Identifiers extends readonly ServiceClass[]> = {
  [Position in keyof Identifiers]: Identifiers[Position] extends ServiceClass<infer Service> ? Service : never;
};

/** Binds a class to its constructor's dependencies, in that order; the compiler checks both. Services are singletons and are disposed of with their plugin. */
export type Provide = <Service, const Needs extends readonly ServiceClass[]>(
  service: new (...dependencies: ResolvedServices<Needs>) => Service,
  dependencies: Needs,
) => void;

/** A source of services: the core services, the console's container or a plugin's own container. */
export interface Services {
  /** Returns the service bound to this class; throws when there is none. */
  get<Service>(service: ServiceClass<Service>): Service;
}

const keys = new WeakMap<Services, number>();
let lastKey = 0;

/** Returns a number that changes with each run of a plugin, identified by its services: a component with this key does not outlive the run. */
export function instanceKey(services: Services): number {
  const key = keys.get(services) ?? ++lastKey;
  keys.set(services, key);
  return key;
}

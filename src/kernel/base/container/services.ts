/** A class used as the identifier of its service: a port (abstract) or the class itself. */
export type ServiceClass<Service = unknown> = abstract new (...arguments_: never[]) => Service;

type ResolvedServices<Identifiers extends readonly ServiceClass[]> = {
  [Position in keyof Identifiers]: Identifiers[Position] extends ServiceClass<infer Service> ? Service : never;
};

/** Registers a class with the dependencies of its constructor, in the same order; the compiler checks them. Services are singletons and are disposed of with their plugin. */
export type Provide = <Service, const Dependencies extends readonly ServiceClass[]>(
  service: new (...dependencies: ResolvedServices<Dependencies>) => Service,
  dependencies: Dependencies,
) => void;

/** A source of services: the core services, the console's container or a plugin's own container. */
export interface Services {
  /** Returns the service bound to this class; throws when there is none. */
  get<Service>(service: ServiceClass<Service>): Service;
}

const keys = new WeakMap<Services, number>();
let lastKey = 0;

/** Returns a React key for the components of a plugin. It changes when the plugin starts again with new services, so that they are mounted again. */
export function instanceKey(services: Services): number {
  const key = keys.get(services) ?? ++lastKey;
  keys.set(services, key);
  return key;
}

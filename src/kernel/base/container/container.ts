import { Container as Bindings, type ServiceIdentifier } from 'inversify';
import type { Disposer } from '../bus/bus.ts';
import type { Provide, ServiceClass, Services } from './services.ts';

type Constructor = new (...dependencies: unknown[]) => unknown;

/** One service of a container: its name, its dependencies, and its instance once created. A bound service has no dependencies. */
export interface DescribedService {
  readonly name: string;
  readonly dependencies: readonly string[];
  readonly instance: unknown;
}

/** Dependency injection container. It disposes of the services it constructed, newest first; bound instances belong to their owner and stay alive. */
export class Container implements Services {
  private readonly bindings: Bindings;
  private readonly constructed: unknown[] = [];
  private readonly children = new Set<Container>();
  private readonly instances = new Map<ServiceClass, unknown>();
  private readonly described = new Map<ServiceClass, readonly ServiceClass[]>();
  private disposed = false;

  constructor(private readonly parent?: Container) {
    this.bindings = new Bindings(parent ? { parent: parent.bindings } : {});
  }

  /** Registers a class that is constructed on first use, as a singleton. */
  readonly provide: Provide = (service, dependencies) => {
    this.described.set(service as ServiceClass, dependencies as readonly ServiceClass[]);
    const construct = (...resolved: unknown[]) => {
      const instance = new (service as Constructor)(...resolved);
      this.constructed.push(instance);
      return instance;
    };
    this.bindings
      .bind<unknown>(service as ServiceIdentifier)
      .toResolvedValue(construct, dependencies as readonly ServiceIdentifier[] as ServiceIdentifier[])
      .inSingletonScope();
  };

  /** Binds a class or port to this instance, which another owner disposes of. */
  bind<Service>(identifier: ServiceClass<Service>, instance: Service): void {
    this.bindings.bind<Service>(identifier as ServiceIdentifier<Service>).toConstantValue(instance);
    this.described.set(identifier, []);
    this.instances.set(identifier, instance);
  }

  /** Returns the services in the order of their registration. */
  get contents(): DescribedService[] {
    return [...this.described].map(([service, dependencies]) => ({
      name: service.name,
      dependencies: dependencies.map(({ name }) => name),
      instance: this.constructed.find((instance) => (instance as object).constructor === service) ?? this.instances.get(service),
    }));
  }

  /** Binds a class or port to the result of `create` on each request, until the returned function is called; a second binding is refused. */
  bindFactory<Service>(identifier: ServiceClass<Service>, create: () => Service): Disposer {
    const bound = identifier as ServiceIdentifier<Service>;
    if (this.bindings.isBound(bound)) throw new Error(`${identifier.name} is already shared`);
    this.bindings.bind<Service>(bound).toDynamicValue(create);
    return () => {
      if (!this.disposed) void this.bindings.unbind(bound);
    };
  }

  /** Returns the service, or `undefined` while it is not bound. */
  find<Service>(service: ServiceClass<Service>): Service | undefined {
    return !this.disposed && this.bindings.isBound(service as ServiceIdentifier<Service>) ? this.get(service) : undefined;
  }

  get<Service>(service: ServiceClass<Service>): Service {
    if (this.disposed) throw new Error(`${service.name} was requested from a disposed container`);
    return this.bindings.get<Service>(service as ServiceIdentifier<Service>);
  }

  /** Creates a container that resolves these services and its own. */
  createChild(): Container {
    const child = new Container(this);
    this.children.add(child);
    return child;
  }

  /** Number of child containers. */
  get childCount(): number {
    return this.children.size;
  }

  /** Disposes of children, then services; errors of single services are thrown together once all have been disposed of. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.parent?.children.delete(this);
    const errors: unknown[] = [];
    for (const service of [...this.children, ...this.constructed.splice(0).reverse()]) {
      try {
        disposeOf(service);
      } catch (error) {
        errors.push(error);
      }
    }
    this.bindings.unbindAll();
    if (errors.length > 0) throw new AggregateError(errors, 'Services failed to stop');
  }
}

function disposeOf(service: unknown): void {
  const { dispose, [Symbol.dispose]: disposer } = service as { dispose?: unknown; [Symbol.dispose]?: unknown };
  const teardown = dispose ?? disposer;
  if (typeof teardown === 'function') teardown.call(service);
}
